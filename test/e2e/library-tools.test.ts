import { describe, expect, test } from "vitest";
import { ERAS } from "../support/client.ts";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { page, SAMPLE, serveLibraryInProcess as serveLibrary, writeLibrary } from "../support/library.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";

const LIBRARY = ["get_skill", "list_skills", "get_asset", "run_script", "report_usage", "refresh_skills"];

describe.each(ERAS)("seed 004 §8: the six tools, protocol %s", (era) => {
  test("SKILLS_DIR turns them on beside the loader, with titles, annotations and strict schemas", async () => {
    const { client } = await serveLibrary(createSandbox(DISK_FOLDER), SAMPLE, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["skill", ...LIBRARY]);
    const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    for (const name of LIBRARY) {
      const tool = byName[name];
      expect(tool?.title, name).toMatch(/^[A-Z]/);
      expect(tool?.description?.length, name).toBeGreaterThan(20);
      expect(tool?.inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
    }
    const required = (name: string) => byName[name]?.inputSchema.required ?? [];
    const properties = (name: string) => Object.keys(byName[name]?.inputSchema.properties ?? {});
    expect([required("get_skill"), properties("get_skill")]).toEqual([
      ["context"],
      ["context", "skill_path"],
    ]);
    expect([required("list_skills"), properties("list_skills")]).toEqual([[], ["path"]]);
    expect([required("get_asset"), properties("get_asset")]).toEqual([
      ["skill_path", "file"],
      ["skill_path", "file"],
    ]);
    expect([required("run_script"), properties("run_script")]).toEqual([
      ["skill_path", "file", "args"],
      ["skill_path", "file", "args", "cwd"],
    ]);
    expect(byName["run_script"]?.inputSchema.properties?.["args"]).toMatchObject({
      type: "object",
      additionalProperties: { type: "string" },
    });
    expect([required("report_usage"), properties("report_usage")]).toEqual([
      ["skill_path", "useful"],
      ["skill_path", "useful", "comment"],
    ]);
    expect([required("refresh_skills"), properties("refresh_skills")]).toEqual([[], []]);

    for (const name of ["get_skill", "list_skills", "get_asset"])
      expect(byName[name]?.annotations, name).toMatchObject({ readOnlyHint: true });
    expect(byName["run_script"]?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    });
    expect(byName["report_usage"]?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
    });
    expect(byName["refresh_skills"]?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
    });
  });

  test("get_skill and list_skills answer the same in both eras; scripts and errors too", async () => {
    const { call } = await serveLibrary(createSandbox(DISK_FOLDER), SAMPLE, { era });
    expect(await call("get_skill", { context: "standalone" })).toEqual({
      skill_path: "no-inherit",
      score: 1,
      matched_keywords: ["standalone"],
      content: "    indented code\n\nAlone.",
      assets: [],
      scripts: [],
      inherited_assets: [],
      inherited_scripts: [],
    });
    expect(await call("list_skills", { path: "ui/react" })).toMatchObject({
      tree: { path: "ui/react/_index" },
    });
    expect(await call("list_skills", { path: "nope" })).toMatchObject({ error: true });
    const audit = { skill_path: "_root", file: "scripts/audit.sh", args: { target: "it" } };
    expect(await call("run_script", audit)).toMatchObject({ success: true, stdout: "audit of it\n" });
  });

  test("bad arguments are -32602 and name the parameter", async () => {
    const BAD = [
      ["get_skill", { context: 5 }, "'context'"],
      ["get_skill", { context: "x", skill_path: "" }, "'skill_path'"],
      ["list_skills", { folder: "ui" }, "'folder'"],
      ["get_asset", { skill_path: "ui" }, "'file'"],
      ["report_usage", { skill_path: "ui", useful: "yes" }, "'useful'"],
      ["refresh_skills", { force: true }, "'force'"],
    ] as const;
    const { client } = await connect(createSandbox(DISK_FOLDER), { era, args: ["mcp", "--tools", "all"] });
    for (const [name, args, named] of BAD) {
      const error: unknown = await client
        .callTool({ name, arguments: args })
        .catch((thrown: unknown) => thrown);
      expect(error, name).toMatchObject({ code: -32602 });
      expect(String(error)).toContain(named);
    }
  });
});

describe("which tools are offered", () => {
  test("--library does the same as SKILLS_DIR, and goes before it", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const other = writeLibrary(sandbox, { "other.md": page("other", "Another library") }, "other");
    const { call, client } = await serveLibrary(sandbox, SAMPLE, {
      args: ["mcp", "--library", other, "--tools", "library"],
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(LIBRARY);
    expect(await call("get_skill", { context: "other" })).toMatchObject({ skill_path: "other" });
    expect(await call("get_skill", { context: "standalone" })).toMatchObject({ no_match: true });
  });

  test("--tools takes single tools of the set", async () => {
    const { client } = await serveLibrary(createSandbox(DISK_FOLDER), SAMPLE, {
      args: ["mcp", "--tools", "get_asset,get_skill"],
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["get_skill", "get_asset"]);
    await expect(client.callTool({ name: "run_script", arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test("without a library they are not there", async () => {
    const { client } = await connect(createSandbox(DISK_FOLDER), { era: "2025-11-25" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["skill"]);
  });

  test("--tools library, or any of them, with neither SKILLS_DIR nor SKILLS_REPO is exit 2 and names them", async () => {
    for (const tools of ["library", "get_skill,run_script"]) {
      const { code, stderr } = await runCommand(createSandbox(DISK_FOLDER), ["mcp", "--tools", tools], {
        env: { SKILLS_DIR: "" },
      });
      expect(code).toBe(2);
      expect(stderr).toMatch(/SKILLS_DIR.*SKILLS_REPO.*--library/);
    }
  });

  test("a library that does not exist yet is picked up when it appears", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const dir = sandbox.path("project", "later");
    const server = await serveLibrary(sandbox, {}, { env: { SKILLS_DIR: dir } });
    expect(await server.call("get_skill", { context: "word" })).toMatchObject({ no_match: true });
    expect(server.log()).toContain(`${dir}: This library does not exist`);
    writeLibrary(sandbox, { "late.md": page("word", "Late") }, "later");
    expect(await server.call("refresh_skills")).toMatchObject({ skills_reindexed: 1 });
    expect(await server.call("get_skill", { context: "word" })).toMatchObject({ skill_path: "late" });
  });
});
