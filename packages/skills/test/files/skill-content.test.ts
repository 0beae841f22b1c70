import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { digestsOf, readInstalledContent, readSourceContent } from "../../src/files/skill-content.ts";

test.runIf(process.platform !== "win32")(
  "links of a source count as what they lead to, inside the source",
  () => {
    const { write, project } = createSandbox();
    write("project/source/shared/text.md", "shared\n");
    write("project/source/skill/SKILL.md", "text");
    symlinkSync("../shared/text.md", path.join(project, "source/skill/text.md"));
    symlinkSync("../shared", path.join(project, "source/skill/folder"));
    const source = path.join(project, "source");
    const content = readSourceContent(path.join(source, "skill"), source);
    expect(content.get("text.md")?.bytes.toString()).toBe("shared\n");
    expect(content.get("folder/text.md")?.isLinked).toBe(true);
  },
);

test.runIf(process.platform !== "win32").each([
  ["a link out of the source", (skill: string) => symlinkSync("/etc/passwd", path.join(skill, "bad"))],
  ["a link to nowhere", (skill: string) => symlinkSync("nowhere", path.join(skill, "bad"))],
  ["a link to the folder above", (skill: string) => symlinkSync("..", path.join(skill, "bad"))],
  ["a link to itself", (skill: string) => symlinkSync("bad", path.join(skill, "bad"))],
  ["a FIFO", (skill: string) => execFileSync("mkfifo", [path.join(skill, "bad")])],
])("%s is refused by name", (_what, plant) => {
  const { write, project } = createSandbox();
  write("project/source/skill/SKILL.md", "text");
  const source = path.join(project, "source");
  plant(path.join(source, "skill"));
  expect(() => readSourceContent(path.join(source, "skill"), source)).toThrow("'bad' is");
});

test.runIf(process.platform !== "win32")("links in an installed skill are seen and not followed", () => {
  const { write, project } = createSandbox();
  write("project/skill/SKILL.md", "text");
  mkdirSync(path.join(project, "skill/empty"));
  symlinkSync("/etc", path.join(project, "skill/link"));
  const content = readInstalledContent(path.join(project, "skill"));
  expect(content?.get("link")).toMatchObject({ isOdd: true });
  expect(Object.keys(digestsOf(content ?? new Map()))).toEqual(["SKILL.md", "link"]);
  expect(readInstalledContent(path.join(project, "skill/link"))).toBeUndefined();
  expect(readInstalledContent(path.join(project, "missing"))).toBeUndefined();
});
