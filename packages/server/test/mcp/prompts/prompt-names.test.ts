import { expect, test } from "vitest";
import { buildLibrary, type Skill } from "#skills";
import { libraryFile } from "../../../../library/test/matching/library-file.ts";
import { buildCatalog } from "../../../../skills/src/catalog/catalog.ts";
import { promptsOf } from "../../../src/mcp/prompts/prompt-names.ts";

const skill = (name: string, fields: Partial<Skill> = {}): Skill => ({
  name,
  description: `Does ${name}.`,
  provider: "claude",
  location: "user",
  dir: `/shop/${fields.provider ?? "claude"}/${name}`,
  realDir: `/shop/${fields.provider ?? "claude"}/${name}`,
  fileName: "SKILL.md",
  ...fields,
});

function namesOf(
  skills: readonly Skill[],
  library: readonly string[] = [],
): Readonly<Record<string, string>> {
  const snapshot = {
    catalog: buildCatalog(skills),
    library: buildLibrary([{ prefix: "", files: library.map((file) => libraryFile(file)) }]),
  };
  const { sorted, byKey } = promptsOf(snapshot);
  expect(byKey.size).toBe(sorted.length);
  return Object.fromEntries(sorted.map(({ title, name }) => [title, name]));
}

test("a prompt goes by the listed name, made one word", () => {
  const skills = [
    skill("pdf"),
    skill("My Skill!"),
    skill("技能"),
    skill("docx", { plugin: { name: "office" }, location: "plugin" }),
  ];
  expect(namesOf(skills, ["ui/_index.md", "ui/auth.md"])).toEqual({
    pdf: "pdf",
    "My Skill!": "My-Skill",
    技能: "技能",
    "office:docx": "office-docx",
    "ui/_index": "ui",
    "ui/auth": "ui-auth",
  });
});

test("two skills never share a name; the one that needed no change keeps it", () => {
  const names = namesOf([skill("a-b"), skill("a b"), skill("a:b", { provider: "codex" })]);
  expect(names["a-b"]).toBe("a-b");
  expect(new Set(Object.values(names)).size).toBe(3);
  for (const title of ["a b", "a:b"]) expect(names[title]).toMatch(/^a-b-[0-9a-f]{6}$/);
});

test("a name does not depend on which other skills come and go", () => {
  const few = namesOf([skill("a-b"), skill("a b")]);
  const more = namesOf([skill("z"), skill("a?b"), skill("a b"), skill("a-b")]);
  expect(more["a b"]).toBe(few["a b"]);
});
