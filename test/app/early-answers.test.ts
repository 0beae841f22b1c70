import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { createApp } from "../../src/app/create-app.ts";
import { createEarlyAnswers } from "../../src/app/early-answers.ts";
import { createKeptAnswers } from "../../src/registry/cache/kept-answers.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SKILLS = "project/.claude/skills";

function openAnswers(sandbox: Sandbox, known = false, now: () => number = () => Date.now() + 60_000) {
  return createEarlyAnswers({
    kept: createKeptAnswers(sandbox.path("cache")),
    view: "view",
    isUsual: () => true,
    isKnown: () => known,
    // A minute later: what was written just now can no longer change unseen.
    now,
    keepAfterMs: 0,
  });
}

const keptFile = (sandbox: Sandbox): string =>
  sandbox.path("cache", readdirSync(sandbox.path("cache"))[0] ?? "");

/** Three skills and a link, and an answer that shows all of them but `unseen`. */
async function keepAnAnswer(sandbox: Sandbox): Promise<void> {
  for (const name of ["docx", "pdf", "group/xlsx", "unseen"]) sandbox.skill(`${SKILLS}/${name}`);
  mkdirSync(sandbox.path(SKILLS, "empty-group"));
  sandbox.skill("elsewhere/one/linked");
  sandbox.skill("elsewhere/two/linked");
  symlinkSync(sandbox.path("elsewhere/one"), sandbox.path(SKILLS, "link"));
  const { app, close } = createApp({ cwd: sandbox.project, userDir: sandbox.home });
  const snapshot = await app.snapshot();
  const skills = snapshot.catalog.entries.map(({ skill }) => skill).filter(({ name }) => name !== "unseen");
  expect(skills).toHaveLength(4);
  openAnswers(sandbox).keep("question", { answer: 42 }, { snapshot, skills });
  await waitUntil("it is kept", () => {
    try {
      return keptFile(sandbox).endsWith(".bin");
    } catch {
      return false;
    }
  });
  await close();
}

test.each<[string, (sandbox: Sandbox) => void]>([
  ["nothing changed", () => {}],
  [
    "a skill that it does not show changed",
    (box) => void box.skill(`${SKILLS}/unseen`, { body: "Longer.\n" }),
  ],
])("an answer is given again when %s", async (_what, change) => {
  const sandbox = createSandbox();
  await keepAnAnswer(sandbox);
  change(sandbox);
  expect(openAnswers(sandbox).early("question")).toEqual({ answer: 42 });
  expect(openAnswers(sandbox).early("another question")).toBeUndefined();
  expect(openAnswers(sandbox, true).early("question")).toBeUndefined();
});

test.each<[string, (sandbox: Sandbox) => void]>([
  ["a skill was edited", (box) => void box.skill(`${SKILLS}/docx`, { description: "Another." })],
  ["a skill came", (box) => void box.skill(`${SKILLS}/new`)],
  ["a skill came to a group", (box) => void box.skill(`${SKILLS}/group/new`)],
  ["a skill came to an empty group", (box) => void box.skill(`${SKILLS}/empty-group/new`)],
  ["a skill came to a folder that was not there", (box) => void box.skill("project/.codex/skills/new")],
  ["a skill went", (box) => rmSync(box.path(SKILLS, "pdf"), { recursive: true })],
  [
    "a skill was turned off",
    (box) => renameSync(box.path(SKILLS, "pdf/SKILL.md"), box.path(SKILLS, "pdf/.SKILL.md")),
  ],
  [
    "a link was turned",
    (box) => {
      rmSync(box.path(SKILLS, "link"));
      symlinkSync(box.path("elsewhere/two"), box.path(SKILLS, "link"));
    },
  ],
  ["a plugin was installed", (box) => void box.write("home/.claude/plugins/installed_plugins.json", "{}")],
  [
    "the file is damaged",
    (box) => {
      const bytes = readFileSync(keptFile(box));
      bytes[bytes.indexOf("42")] = 0x35;
      writeFileSync(keptFile(box), bytes);
    },
  ],
  ["the file is cut", (box) => writeFileSync(keptFile(box), readFileSync(keptFile(box)).subarray(0, 400))],
  ["the file is empty", (box) => writeFileSync(keptFile(box), "")],
  ["the file is something else", (box) => writeFileSync(keptFile(box), "[][]")],
  ["the file holds nothing", (box) => writeFileSync(keptFile(box), "nullnull")],
])("an answer is not given again when %s", async (_what, change) => {
  const sandbox = createSandbox();
  await keepAnAnswer(sandbox);
  change(sandbox);
  expect(openAnswers(sandbox).early("question")).toBeUndefined();
});

test("nothing is kept of what changed just now, and what was kept before goes", async () => {
  const sandbox = createSandbox();
  await keepAnAnswer(sandbox);
  const { app, close } = createApp({ cwd: sandbox.project, userDir: sandbox.home });
  const snapshot = await app.snapshot();
  openAnswers(sandbox, false, Date.now).keep("question", {}, { snapshot, skills: [] });
  await waitUntil("it is gone", () => readdirSync(sandbox.path("cache")).length === 0);
  await close();
});
