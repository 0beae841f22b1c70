import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "#cli";
import { BIN, exchange, runBin, spawnBin } from "../support/bin.ts";
import { exchangeInProcess } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

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

describe("the second start", () => {
  const CACHE = "home/.skills-mcp/cache";
  const LIST =
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n';

  function sandboxWithSkills(): Sandbox {
    const sandbox = createSandbox();
    for (const name of ["pdf", "docx", "xlsx"]) sandbox.skill(`home/.kiro/skills/${name}`);
    return sandbox;
  }

  const cachedAnswers = (sandbox: Sandbox): readonly string[] =>
    existsSync(sandbox.path(CACHE))
      ? readdirSync(sandbox.path(CACHE)).filter((name) => name.startsWith("tools-"))
      : [];

  /** Answers of a server whose client leaves as soon as it has them, by request. */
  async function shortSession(sandbox: Sandbox, input = initialize() + LIST, answers = 2) {
    const { code, stdout } = await exchange(sandbox, ["mcp"], input, answers);
    expect(code).toBe(0);
    return stdout
      .trim()
      .split("\n")
      .map(
        (line) => JSON.parse(line) as { id: number; result: { instructions?: string; tools?: unknown[] } },
      );
  }

  /** What was just written may change again with the same time stamp, and is not cached. */
  async function untilCached(sandbox: Sandbox, session: () => Promise<unknown>): Promise<string> {
    await waitUntil("the answers are cached", async () => {
      await session();
      return cachedAnswers(sandbox).length > 0;
    });
    return sandbox.path(CACHE, cachedAnswers(sandbox)[0] ?? "");
  }

  /** Changes what is cached, so that an answer shows where it comes from. */
  function mark(file: string): void {
    const content = JSON.parse(readFileSync(file, "utf8")) as { answers: { answer: { tools: object[] } } };
    const [tool = {}] = content.answers.answer.tools;
    const answer = { tools: [{ ...tool, description: "of the last run" }] };
    writeFileSync(
      file,
      JSON.stringify({ ...content, answers: { answer, instructions: "Of the last run." } }),
    );
  }

  test.each([
    ["has its first list", initialize() + LIST, 2],
    ["is initialized", initialize(), 1],
  ])("is answered from the first one, whose client left as soon as it %s", async (_when, input, answers) => {
    const sandbox = sandboxWithSkills();
    const file = await untilCached(sandbox, () => shortSession(sandbox, input, answers));
    expect(statSync(file).mode & 0o077).toBe(0);
    mark(file);
    const [initialized, listed] = await shortSession(sandbox);
    expect(initialized).toMatchObject({ id: 1, result: { instructions: "Of the last run." } });
    expect(listed).toMatchObject({ id: 2, result: { tools: [{ description: "of the last run" }] } });
    sandbox.skill("home/.kiro/skills/another");
    const [changed] = await shortSession(sandbox);
    expect(changed?.result.instructions).toContain("another");
  });

  test("is answered from the first one while that one still runs", async () => {
    const sandbox = sandboxWithSkills();
    await waitUntil("the answers are cached", async () => {
      const { child, exit, stdout } = spawnBin(sandbox, ["mcp"]);
      onTestFinished(() => void child.kill("SIGKILL"));
      child.stdin.write(initialize() + LIST);
      await waitUntil("both answers", () => stdout().split("\n").length > 2);
      // Killed, so that nothing is left to its end.
      await waitUntil("", () => cachedAnswers(sandbox).length > 0, 1_500).catch(() => {});
      child.kill("SIGKILL");
      await exit;
      return cachedAnswers(sandbox).length > 0;
    });
  });

  test("finds one whole file after several first ones at once", async () => {
    const sandbox = sandboxWithSkills();
    const file = await untilCached(sandbox, () =>
      Promise.all(Array.from({ length: 4 }, () => shortSession(sandbox))),
    );
    expect(cachedAnswers(sandbox)).toHaveLength(1);
    mark(file);
    const [initialized] = await shortSession(sandbox);
    expect(initialized?.result.instructions).toBe("Of the last run.");
  });

  test("finds nothing after one with wrong settings", async () => {
    const sandbox = sandboxWithSkills();
    const settings = sandbox.write("home/.skills-mcp/config.yaml", "refresh: { interval_minutes: soon }\n");
    const [told] = await shortSession(sandbox);
    expect(told?.result.instructions).toContain("Wrong settings");
    expect(cachedAnswers(sandbox)).toEqual([]);
    rmSync(settings);
    const [repaired] = await shortSession(sandbox);
    expect(repaired?.result.instructions).not.toContain("Wrong settings");
  });

  test("is like the first one where nothing can be written", async () => {
    const sandbox = sandboxWithSkills();
    sandbox.write(CACHE, "a file, where a folder should be");
    const first = await shortSession(sandbox);
    expect(first).toHaveLength(2);
    expect(await shortSession(sandbox)).toEqual(first);
  });
});
