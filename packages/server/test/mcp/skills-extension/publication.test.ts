import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Skill } from "#skills";
import { createSandbox, type Sandbox, skillText } from "../../../../../test/support/sandbox.ts";
import { createPublisher, publishProblem } from "../../../src/mcp/skills-extension/publication.ts";

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

test.each<[string, (sandbox: Sandbox) => Skill]>([
  [
    "a folder with another name",
    (sandbox) => {
      const dir = path.dirname(sandbox.write("skills/Other Folder/SKILL.md", skillText("pdf", "Does it.")));
      return { ...skillAt(sandbox, "pdf"), dir, realDir: dir };
    },
  ],
  ["a file of another spelling", (sandbox) => skillAt(sandbox, "pdf", undefined, "skill.md")],
  [
    "a SKILL.md that is a link to a file elsewhere",
    (sandbox) => {
      const linkedFile = sandbox.write("elsewhere/pdf.md", skillText("pdf", "Does it."));
      const dir = path.dirname(sandbox.write("skills/pdf/notes.txt", "notes"));
      symlinkSync(linkedFile, path.join(dir, "SKILL.md"));
      return { ...skillAt(createSandbox(), "pdf"), dir, realDir: dir, linkedFile };
    },
  ],
  [
    "a list of allowed tools, and fields that no specification defines",
    (sandbox) =>
      skillAt(sandbox, "pdf", "---\nname: pdf\ndescription: D.\nallowed-tools: [a, b]\nmodel: opus\n---\n"),
  ],
])("%s is published: the URI is made of the name alone", async (_what, make) => {
  const publication = await createPublisher().of(make(createSandbox()));
  expect(publication).toMatchObject({ ok: true, entry: { uri: "skill://claude/pdf/SKILL.md" } });
});

test.each<[string, (sandbox: Sandbox) => Skill, RegExp]>([
  [
    "a name that changed after the scan",
    (sandbox) => skillAt(sandbox, "pdf", skillText("other", "X.")),
    /name is now 'other'/,
  ],
  ["a name with capitals", (sandbox) => skillAt(sandbox, "PDF"), /may contain only a-z.*Try 'pdf'/],
  ["a name with two hyphens", (sandbox) => skillAt(sandbox, "a--b"), /contain '--'\. Try 'a-b'/],
  ["a long name", (sandbox) => skillAt(sandbox, "x".repeat(65)), /limit is 64\. Shorten it\./],
  [
    "a long description",
    (sandbox) => skillAt(sandbox, "pdf", skillText("pdf", "x".repeat(1_025))),
    /limit is 1,024\. Move details/,
  ],
  [
    "metadata that are not text",
    (sandbox) => skillAt(sandbox, "pdf", "---\nname: pdf\ndescription: D.\nmetadata: {version: 1}\n---\n"),
    /'version' is not\. Put its value in quotes/,
  ],
  ["no description any more", (sandbox) => skillAt(sandbox, "pdf", "---\nname: pdf\n---\n"), /description/],
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
