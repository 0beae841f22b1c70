import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createPublisher, publishProblem } from "../../../src/mcp/skills-extension/publication.ts";
import type { Skill } from "../../../src/skill/skill.ts";
import { createSandbox, type Sandbox, skillText } from "../../support/sandbox.ts";

function skillAt(
  sandbox: Sandbox,
  name: string,
  text = skillText(name, "Does it."),
  fileName = "SKILL.md",
): Skill {
  const dir = path.dirname(sandbox.write(`skills/${name}/${fileName}`, text));
  return { name, description: "Does it.", provider: "claude", location: "user", dir, realDir: dir, fileName };
}

test("a skill that follows the specification has no problem", async () => {
  const sandbox = createSandbox();
  const skill = skillAt(sandbox, "pdf", skillText("pdf", '"Quoted: fine"'));
  mkdirSync(path.join(skill.dir, "empty"));
  symlinkSync("SKILL.md", path.join(skill.dir, "README.md"));
  linkSync(path.join(skill.dir, "SKILL.md"), path.join(skill.dir, "hard.md"));
  expect(await publishProblem(skill)).toBeUndefined();
});

test.each<[string, (sandbox: Sandbox) => Skill, RegExp]>([
  [
    "a file of another spelling",
    (sandbox) => skillAt(sandbox, "pdf", undefined, "skill.md"),
    /Rename it to SKILL\.md/,
  ],
  [
    "a name that is not the folder's",
    (sandbox) => skillAt(sandbox, "pdf", skillText("other", "X.")),
    /differs from its folder/,
  ],
  [
    "a description that is a list",
    (sandbox) => skillAt(sandbox, "pdf", "---\nname: pdf\ndescription: D.\nallowed-tools: [a, b]\n---\n"),
    /allowed-tools/,
  ],
  [
    "an alias, which the extension's reader refuses",
    (sandbox) => skillAt(sandbox, "pdf", "---\nname: &n pdf\ndescription: D.\n---\n"),
    /strict reader refuses[\s\S]*anchors/,
  ],
  [
    "a link to a folder",
    (sandbox) => {
      const skill = skillAt(sandbox, "pdf");
      symlinkSync(sandbox.home, path.join(skill.dir, "away"));
      return skill;
    },
    /'away' is a link/,
  ],
  [
    "a link to a hidden file",
    (sandbox) => {
      const skill = skillAt(sandbox, "pdf");
      writeFileSync(path.join(skill.dir, ".env"), "SECRET");
      symlinkSync(".env", path.join(skill.dir, "env.txt"));
      return skill;
    },
    /'env\.txt' is a link/,
  ],
  [
    "17 MiB",
    (sandbox) => {
      const skill = skillAt(sandbox, "pdf");
      writeFileSync(path.join(skill.dir, "data.bin"), Buffer.alloc(17 * 1024 * 1024));
      return skill;
    },
    /17\.0 MiB/,
  ],
  [
    "513 files",
    (sandbox) => {
      const skill = skillAt(sandbox, "pdf");
      for (let index = 0; index < 512; index++) writeFileSync(path.join(skill.dir, `${index}.txt`), "");
      return skill;
    },
    /more than 512 files/,
  ],
  [
    "a file that is gone",
    (sandbox) => ({ ...skillAt(sandbox, "pdf"), realDir: sandbox.path("nowhere") }),
    /does not exist/,
  ],
])("%s is a problem, in a sentence", async (_what, make, message) => {
  const skill = make(createSandbox());
  expect(await publishProblem(skill)).toEqual({
    file: path.join(skill.dir, skill.fileName),
    message: expect.stringMatching(message),
  });
});

test("an unchanged skill gives the very same entry; a changed file another digest, whatever the clock says", async () => {
  const sandbox = createSandbox();
  const skill = skillAt(sandbox, "pdf");
  const file = sandbox.write("skills/pdf/a.txt", "one");
  let now = Date.now() + 60_000;
  const publisher = createPublisher(() => now);
  const first = await publisher.of(skill);
  expect(await publisher.of(skill)).toBe(first);
  writeFileSync(file, "two");
  expect(await publisher.of(skill)).not.toEqual(first);

  // Within the grain of the clock nothing is taken for known.
  now = Date.now();
  utimesSync(file, new Date(), new Date());
  const fresh = createPublisher(() => now);
  const again = await fresh.of(skill);
  expect(await fresh.of(skill)).toEqual(again);
  expect(await fresh.of(skill)).not.toBe(again);
});
