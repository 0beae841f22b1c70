import { rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox, skillText } from "../../../../test/support/sandbox.ts";
import { createScanner } from "../../src/scan/scan.ts";

const MANY = 1_100;

function withManySkills(): Sandbox {
  const sandbox = createSandbox();
  for (let index = 0; index < MANY; index++)
    sandbox.write(`skills/skill-${index}/SKILL.md`, skillText(`skill-${index}`, `Does thing ${index}.`));
  sandbox.write("skills/SKILL.md", skillText("all", "Does all things."));
  sandbox.write("skills/notes.md", "x");
  sandbox.write("skills/notes/x.txt", "x");
  symlinkSync(sandbox.path("skills/skill-1"), sandbox.path("skills/linked"));
  return sandbox;
}

test("a root with a great many skills is served whole, and followed", async () => {
  const sandbox = withManySkills();
  const dir = sandbox.path("skills");
  const scan = createScanner({
    roots: [{ dir, provider: "file", location: "project", named: true }],
    now: Date.now,
  });
  const names = async (): Promise<readonly string[]> => (await scan()).enabled.map(({ name }) => name);
  const all = [...Array.from({ length: MANY }, (_, index) => `skill-${index}`), "all"];
  expect((await names()).toSorted()).toEqual(all.toSorted());
  sandbox.write("skills/later/SKILL.md", skillText("later", "Comes later."));
  rmSync(sandbox.path("skills/skill-3"), { recursive: true });
  const after = [...all.filter((name) => name !== "skill-3"), "later"];
  expect((await names()).toSorted()).toEqual(after.toSorted());
});
