import { expect, test } from "vitest";
import { editorLink } from "../src/skills/editor-link.ts";

test.each([
  ["/home/ann/My skills/pdf/SKILL.md", 7, "vscode://file/home/ann/My%20skills/pdf/SKILL.md:7"],
  ["C:\\Users\\ann\\SKILL.md", 1, "vscode://file/C:/Users/ann/SKILL.md:1"],
  ["/a#b/c?d/SKILL.md", 2, "vscode://file/a%23b/c%3Fd/SKILL.md:2"],
])("an editor opens '%s' at line %i", (file, line, link) => {
  expect(editorLink("vscode", file, line)).toBe(link);
});
