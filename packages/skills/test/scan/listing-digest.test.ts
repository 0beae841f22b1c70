import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox, skillText } from "../../../../test/support/sandbox.ts";
import { SKILL_FOLDERS } from "../../src/scan/listing.ts";
import { traverseRoot } from "../../src/scan/traverse.ts";

const CHANGES: readonly [string, (sandbox: Sandbox) => void][] = [
  ["a file comes", ({ write }) => void write("skills/pdf/forms.md", "x")],
  ["a file comes to a folder below", ({ write }) => void write("skills/pdf/scripts/b.sh", "x")],
  ["a file goes", (sandbox) => rmSync(sandbox.path("skills/pdf/scripts/a.sh"))],
  ["a file gets another name", (sandbox) => move(sandbox, "pdf/scripts/a.sh", "pdf/scripts/c.sh")],
  ["a file moves to another folder", (sandbox) => move(sandbox, "pdf/scripts/a.sh", "pdf/a.sh")],
];
const NO_CHANGES: readonly [string, (sandbox: Sandbox) => void][] = [
  ["nothing happens", () => {}],
  ["a file changes", (sandbox) => writeFileSync(sandbox.path("skills/pdf/scripts/a.sh"), "other")],
  ["a hidden file comes", ({ write }) => void write("skills/pdf/.a.sh.swp", "x")],
  ["a file comes beside the skills", ({ write }) => void write("skills/notes.md", "x")],
  ["a folder comes that holds no skill", ({ write }) => void write("skills/drafts/x.md", "x")],
];

function move(sandbox: Sandbox, from: string, to: string): void {
  renameSync(sandbox.path(`skills/${from}`), sandbox.path(`skills/${to}`));
}

async function listings(change: (sandbox: Sandbox) => void): Promise<readonly [number, number]> {
  const sandbox = createSandbox();
  sandbox.write("skills/pdf/SKILL.md", skillText("pdf", "Reads."));
  sandbox.write("skills/pdf/scripts/a.sh", "one");
  mkdirSync(sandbox.path("skills/other"));
  const scan = async () => (await traverseRoot(sandbox.path("skills"), SKILL_FOLDERS)).listing;
  const before = await scan();
  change(sandbox);
  return [before, await scan()];
}

test.each(CHANGES)("the listing of skill folders is another one when %s", async (_what, change) => {
  const [before, after] = await listings(change);
  expect(after).not.toBe(before);
});

test.each(NO_CHANGES)("the listing of skill folders stays when %s", async (_what, change) => {
  const [before, after] = await listings(change);
  expect(after).toBe(before);
});

const FILES: readonly [string, readonly string[], boolean][] = [
  ["nothing else", [], false],
  ["a file beside it", ["notes.md"], true],
  ["a file below", ["a/b/notes.md"], true],
  ["a hidden file", [".env"], false],
  ["a file in a hidden folder", [".cache/notes.md"], false],
  ["a file in node_modules", ["node_modules/x/index.js"], false],
  ["its disabled spelling", [".SKILL.md"], false],
  ["another spelling", ["skill.md"], true],
  ["a skill inside", ["inner/SKILL.md"], true],
  ["a disabled skill inside", ["inner/.SKILL.md"], false],
];

test.each(FILES)("a skill with %s has files: %j %s", async (_what, files, expected) => {
  const sandbox = createSandbox();
  sandbox.write("skills/pdf/SKILL.md", skillText("pdf", "Reads."));
  sandbox.write("skills/notes.md", "beside the skills");
  for (const file of files) sandbox.write(`skills/pdf/${file}`, skillText("inner", "Reads."));
  const { withFiles } = await traverseRoot(sandbox.path("skills"), SKILL_FOLDERS);
  expect([...withFiles]).toEqual(expected ? [sandbox.path("skills/pdf")] : []);
});
