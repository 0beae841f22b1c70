import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BIN, environmentOf, NODE } from "../../../../../test/support/bin.ts";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import type { SkillFixAnswer } from "../../../src/wire/skill-facts.ts";
import type { SkillDetail } from "../../../src/wire/skills.ts";
import { openApi } from "./open-api.ts";

const BROKEN = "---\nName: pdf\ndescription: Use it for: PDF files\n---\n\n# PDF\n";
const FIXED = '---\nname: pdf\ndescription: "Use it for: PDF files"\n---\n\n# PDF\n';

function shop(): { readonly sandbox: Sandbox; readonly file: string } {
  const sandbox = createSandbox();
  return { sandbox, file: sandbox.write("project/.claude/skills/pdf/SKILL.md", BROKEN) };
}

const detailOf = (file: string): string => `skill?file=${encodeURIComponent(file)}`;

describe("a correction of a skill", () => {
  test("is proposed with a diff and its command, made, and taken back", async () => {
    const { sandbox, file } = shop();
    const { get, post } = openApi(sandbox);
    const broken = (await get(detailOf(file))).json as SkillDetail;
    expect(broken.status).toBe("broken");
    expect(broken.fix).toMatchObject({ file, command: `skills-mcp validate --fix ${file}` });
    expect(broken.fix?.diff).toContain("-Name: pdf\n");
    expect(broken.fix?.diff).toContain("+name: pdf\n");
    const fixed = (await post("skills/fix", { files: [file] })).json;
    expect(fixed).toEqual({ fixed: [broken.fix] });
    expect(readFileSync(file, "utf8")).toBe(FIXED);
    const served = (await get(detailOf(file))).json as SkillDetail;
    expect([served.status, served.name, served.fix]).toEqual(["ok", "pdf", undefined]);
    expect((await post("skills/fix", { files: [file] })).status).toBe(409);
    expect((await post("skills/fix/undo", { files: [file] })).status).toBe(200);
    expect(readFileSync(file, "utf8")).toBe(BROKEN);
    expect(((await get(detailOf(file))).json as SkillDetail).status).toBe("broken");
    expect((await post("skills/fix/undo", { files: [file] })).status).toBe(409);
  });

  test("is the one that the command makes", async () => {
    const { sandbox, file } = shop();
    const { fixed } = (await openApi(sandbox).post("skills/fix", { files: [file] })).json as {
      readonly fixed: readonly SkillFixAnswer[];
    };
    const [, ...args] = (fixed[0]?.command ?? "").split(" ");
    const byPage = readFileSync(file, "utf8");
    writeFileSync(file, BROKEN);
    const options = { cwd: sandbox.project, env: environmentOf(sandbox), encoding: "utf8" } as const;
    expect(execFileSync(NODE, [BIN, ...args], options)).toContain("1 file corrected");
    expect(readFileSync(file, "utf8")).toBe(byPage);
  });

  test("is not taken back over what somebody wrote since", async () => {
    const { sandbox, file } = shop();
    const { post } = openApi(sandbox);
    await post("skills/fix", { files: [file] });
    writeFileSync(file, `${FIXED}More.\n`);
    const { status, json } = await post("skills/fix/undo", { files: [file] });
    expect([status, json]).toMatchObject([
      409,
      { error: { message: expect.stringContaining("changed it") } },
    ]);
    expect(readFileSync(file, "utf8")).toBe(`${FIXED}More.\n`);
  });

  test("is none where a person has to write something", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("project/.claude/skills/pdf/SKILL.md", "Only text.\n");
    const { get, post } = openApi(sandbox);
    expect(((await get(detailOf(file))).json as SkillDetail).fix).toBe(undefined);
    expect((await post("skills/fix", { files: [file] })).status).toBe(409);
  });

  test("is made in the files of skills alone: no other path, and no link to another file", async () => {
    const { sandbox } = shop();
    const elsewhere = sandbox.write("elsewhere/notes.md", BROKEN);
    const unknown = sandbox.write("elsewhere/SKILL.md", BROKEN);
    mkdirSync(sandbox.path("project/.claude/skills/linked"), { recursive: true });
    const link = sandbox.path("project/.claude/skills/linked/SKILL.md");
    symlinkSync(elsewhere, link);
    const { post } = openApi(sandbox);
    for (const file of [elsewhere, unknown, link, "/etc/passwd"])
      expect([file, [404, 409].includes((await post("skills/fix", { files: [file] })).status)]).toEqual([
        file,
        true,
      ]);
    expect((await post("skills/fix", { name: "pdf" })).status).toBe(400);
    expect([readFileSync(elsewhere, "utf8"), readFileSync(unknown, "utf8")]).toEqual([BROKEN, BROKEN]);
  });

  test("needs what changes need", async () => {
    const { sandbox, file } = shop();
    const { post } = openApi(sandbox);
    for (const address of ["skills/fix", "skills/fix/undo"])
      expect((await post(address, { files: [file] }, { scopes: new Set(["skills:read"]) })).status).toBe(403);
    expect((await post("skills/fix", { files: [file] }, { needsKey: true })).status).toBe(403);
    expect(readFileSync(file, "utf8")).toBe(BROKEN);
  });
});
