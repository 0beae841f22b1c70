import { readFileSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox, skillText } from "../../../../../test/support/sandbox.ts";
import { openApi } from "./open-api.ts";

const READER: ReadonlySet<string> = new Set(["skills:read"]);

function fill() {
  const sandbox = createSandbox();
  const before = skillText("pdf", "Reads PDF files.");
  const file = sandbox.write("project/.claude/skills/pdf/SKILL.md", before);
  return { sandbox, before, file, ...openApi(sandbox) };
}

test("a text is checked before it is written, and an edit is taken back", async () => {
  const { before, file, get, post } = fill();
  expect((await get(`skill/text?file=${encodeURIComponent(file)}`)).json).toMatchObject({ text: before });
  const checked = await post("skills/check", { file, text: "Text.\n" });
  expect(checked.json).toMatchObject({ findings: [{ severity: "error", code: "no-front-matter" }] });
  expect(readFileSync(file, "utf8")).toBe(before);
  const after = skillText("pdf", "Reads and writes PDF files.");
  expect((await post("skills/edit", { file, before: "old", after })).status).toBe(409);
  expect((await post("skills/edit", { file, before, after })).status).toBe(200);
  expect(readFileSync(file, "utf8")).toBe(after);
  expect((await post("skills/fix/undo", { files: [file] })).status).toBe(200);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("only files of own skills are edited: no other path, no link to another file, no plugin", async () => {
  const { sandbox, before, get, post } = fill();
  const elsewhere = sandbox.write("elsewhere/notes.md", before);
  sandbox.write("project/.claude/skills/linked/.keep", "");
  const link = sandbox.path("project/.claude/skills/linked/SKILL.md");
  symlinkSync(elsewhere, link);
  for (const file of [elsewhere, link, "/etc/passwd"]) {
    expect((await get(`skill/text?file=${encodeURIComponent(file)}`)).status).toBeGreaterThanOrEqual(400);
    for (const [name, body] of [
      ["skills/check", { file, text: "" }],
      ["skills/edit", { file, before, after: "x" }],
    ] as const)
      expect([file, (await post(name, body)).status >= 400]).toEqual([file, true]);
  }
  expect(readFileSync(elsewhere, "utf8")).toBe(before);
});

test.each([
  ["skills:admin", { scopes: READER }],
  ["the key", { needsKey: true }],
])("without %s nothing is read for editing or written", async (_what, request) => {
  const { before, file, get, post } = fill();
  expect((await get(`skill/text?file=${encodeURIComponent(file)}`, request)).status).toBe(403);
  expect((await post("skills/check", { file, text: "" }, request)).status).toBe(403);
  expect((await post("skills/edit", { file, before, after: "x" }, request)).status).toBe(403);
  expect(readFileSync(file, "utf8")).toBe(before);
});
