import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox, DISK_FOLDER, type Sandbox, skillText } from "../../../../../test/support/sandbox.ts";
import { compose } from "../../../src/compose.ts";
import { onlyFilesChanged } from "../../../src/mcp/resources/subscriptions.ts";

const SKILLS = "project/.claude/skills";

function machine(): Sandbox {
  const sandbox = createSandbox(DISK_FOLDER);
  sandbox.write(`${SKILLS}/pdf/SKILL.md`, skillText("pdf", "Reads."));
  sandbox.write(`${SKILLS}/pdf/scripts/a.sh`, "one");
  sandbox.write(`${SKILLS}/pdf/inner/SKILL.md`, "no front matter");
  sandbox.write(`${SKILLS}/private/SKILL.md`, skillText("private", "Is filtered out."));
  sandbox.write(`${SKILLS}/broken/SKILL.md`, "no front matter");
  sandbox.write("shared/linked/SKILL.md", skillText("linked", "Is linked."));
  symlinkSync(sandbox.path("shared/linked"), sandbox.path(`${SKILLS}/linked`));
  return sandbox;
}

test.each<[boolean, string, (sandbox: Sandbox) => void]>([
  [true, "a file comes to a skill", ({ write }) => void write(`${SKILLS}/pdf/b.txt`, "")],
  [true, "a file comes to a folder below one", ({ write }) => void write(`${SKILLS}/pdf/scripts/b.sh`, "")],
  [
    true,
    "a folder of a skill goes",
    ({ path }) => rmSync(path(`${SKILLS}/pdf/scripts`), { recursive: true }),
  ],
  [true, "a file comes to a linked skill", ({ write }) => void write("shared/linked/b.txt", "")],
  [true, "a broken SKILL.md comes into a skill", ({ write }) => void write(`${SKILLS}/pdf/x/SKILL.md`, "")],
  [true, "a file comes to a broken skill in a skill", ({ write }) => void write(`${SKILLS}/pdf/inner/b`, "")],
  [
    true,
    "a file is renamed in a skill, and one comes to a broken one",
    ({ path, write }) => {
      renameSync(path(`${SKILLS}/pdf/scripts/a.sh`), path(`${SKILLS}/pdf/scripts/c.sh`));
      write(`${SKILLS}/broken/b.txt`, "");
    },
  ],
  [false, "nothing happens", () => {}],
  [false, "a broken SKILL.md comes", ({ write }) => void write(`${SKILLS}/new/SKILL.md`, "no front matter")],
  [false, "a broken skill goes", ({ path }) => rmSync(path(`${SKILLS}/broken`), { recursive: true })],
  [false, "a file comes to a broken skill", ({ write }) => void write(`${SKILLS}/broken/b.txt`, "")],
  [
    false,
    "a skill comes that is filtered out",
    ({ write }) =>
      void write(`${SKILLS}/private-2/SKILL.md`, skillText("private-2", "Is filtered out, too.")),
  ],
  [false, "a file comes to one", ({ write }) => void write(`${SKILLS}/private/b.txt`, "")],
  [false, "an empty folder comes beside the skills", ({ path }) => mkdirSync(path(`${SKILLS}/empty`))],
  // It is announced as a change of the catalog.
  [
    false,
    "a skill comes",
    ({ write }) => void write(`${SKILLS}/docx/SKILL.md`, skillText("docx", "Writes.")),
  ],
])("%s: only files of served skills changed, when %s", async (expected, _what, change) => {
  const sandbox = machine();
  const { services, close } = compose({
    cwd: sandbox.project,
    userDir: sandbox.home,
    filter: { exclude: ["private*"] },
  });
  onTestFinished(close);
  await services.skills.snapshot();
  const seen: boolean[] = [];
  services.skills.onRefresh((event) => seen.push(onlyFilesChanged(event)));
  change(sandbox);
  await services.skills.refresh();
  await services.skills.refresh();
  expect(seen).toEqual([expected, false]);
});
