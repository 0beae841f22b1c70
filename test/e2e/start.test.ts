import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "#cli";
import { BIN, exchange, runBin } from "../support/bin.ts";
import { exchangeInProcess } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";

function initialize(params: object = {}): string {
  const clientInfo = { name: "a client", version: "1" };
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo, ...params },
  };
  return `${JSON.stringify(message)}\n`;
}

test.each(Object.keys(COMMANDS))("'%s' is in the bundle that the start script loads for it", (name) => {
  const { code, stdout } = runBin(createSandbox(), ["help", name]);
  expect(code).toBe(0);
  expect(stdout).toContain(`skills-mcp ${name}`);
});

test("commands load nothing of the SDK, and the start script is small", () => {
  const bundle = (name: string): string => readFileSync(path.join(path.dirname(BIN), `${name}.js`), "utf8");
  const ofSdk = "notifications/cancelled";
  expect(bundle("server")).toContain(ofSdk);
  expect(bundle("commands")).not.toContain(ofSdk);
  expect(bundle("cli").length).toBeLessThan(54_000);
});

describe("initialize", () => {
  test.each([
    [[]],
    [["--no-watch", "--no-refresh"]],
    [["mcp", "--root", "skills", "--tool-names", "underscore"]],
    [["mcp", "--tools", "finder,catalog", "--prompts", "off"]],
    [["mcp-server", "--log-level", "warn"]],
  ])("with %j is answered by the start script as it is by the SDK", async (args) => {
    const sandbox = createSandbox();
    const early = await exchange(sandbox, args, initialize(), 1);
    // The start script leaves anything with metadata to the SDK.
    const late = await exchangeInProcess(sandbox, args, initialize({ _meta: {} }), 1);
    expect([early, late]).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(JSON.parse(early.stdout)).toEqual(JSON.parse(late.stdout));
    expect(JSON.parse(early.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "skills-mcp" } } });
  });

  test.each([
    ["a settings file", { "home/.skills-mcp/config.yaml": "refresh: { interval_minutes: soon }\n" }, {}],
    ["an environment variable", {}, { REFRESH_INTERVAL_MINUTES: "soon" }],
  ])("tells what is wrong in %s", (_what, files, env) => {
    const sandbox = createSandbox();
    for (const [file, text] of Object.entries(files)) sandbox.write(file, text);
    const { code, stdout, stderr } = runBin(sandbox, ["mcp"], { input: initialize(), env });
    expect(code).toBe(0);
    const { result } = JSON.parse(stdout) as { result: { instructions: string } };
    expect(result.instructions).toMatch(/^Wrong settings, tell the user: .*soon/);
    expect(stderr).toContain("soon");
  });
});
