import { expect, test } from "vitest";
import { whatToWrite, withWritten } from "../src/skills/what-to-write.ts";

const FILE = "/shop/Release Notes/SKILL.md";

function broken(code: string, text: string, file = FILE): Parameters<typeof whatToWrite>[0] {
  const diagnostics = [{ severity: "error", code, file, message: "" }] as const;
  const usage = { since: "", until: "", total: 0, perDay: [] };
  const none = {
    loadedBy: [],
    hostFields: [],
    keywords: [],
    files: [],
    filesCut: false,
    parts: [],
    related: [],
  };
  const from = { provider: "", location: "", plugin: "", description: "" };
  return {
    ...{ ...none, ...from, kind: "broken", status: "broken", name: "Release Notes", file: FILE },
    ...{ source: { text, cut: false }, diagnostics, usage },
  };
}

test.each([
  ["no-front-matter", "Text.\n", "Before line 1", /^---\nname: release-notes\ndescription: .+\n---\n$/],
  ["missing-name", "---\ndescription: x\n---\n", "Before line 3", /^name: release-notes$/],
  ["missing-description", "---\nname: x\n---\n\n---\n", "Before line 3", /^description: /],
  ["missing-description", "---\nname: x\n", "In the front matter", /^description: /],
  ["front-matter-unclosed", "---\nname: x\ndescription: y\n\n# Text\n", "Before line 4", /^---$/],
  ["front-matter-unclosed", "---\nmetadata:\n  a: b\n# Text\n", "Before line 4", /^---$/],
])("after '%s' a person is told what to write, and where", (code, text, where, written) => {
  const found = whatToWrite(broken(code, text));
  expect(found?.where).toBe(where);
  expect(found?.text).toMatch(written);
});

test.each([
  ["no-front-matter", "# Title\n\nSays what: it does.\n", 'description: "Says what: it does."', false],
  ["no-front-matter", "# Only a title\n", "description: Only a title", false],
  ["missing-description", "---\nname: x\n---\n\n- a\n", "description: What it does. Use when …", true],
])(
  "after '%s' the text itself describes the skill, if it says anything: %j",
  (code, text, line, isTemplate) => {
    const found = whatToWrite(broken(code, text));
    expect(found).toMatchObject({ isTemplate });
    expect(found?.text.split("\n")).toContain(line);
  },
);

test("what is missing is inserted with the line ends of the file", () => {
  const text = "---\r\nname: x\r\n---\r\nText.\r\n";
  const found = whatToWrite(broken("missing-description", text));
  expect(found && withWritten(text, found)).toBe("---\r\nname: x\r\ndescription: Text.\r\n---\r\nText.\r\n");
});

test("where the message says it all, or another file is meant, nothing is added", () => {
  expect(whatToWrite(broken("not-utf8", ""))).toBe(undefined);
  expect(whatToWrite(broken("missing-name", "", "/other"))).toBe(undefined);
});
