import { describe, expect, test } from "vitest";
import { createEventSink } from "../support/event-sink.ts";
import { runCommand } from "../support/in-process.ts";
import {
  page,
  SAMPLE,
  serveLibraryInProcess as serveLibrary,
  shareLibrary,
  writeLibrary,
} from "../support/library.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

/** Every setting as `config --json` shows it: the value, and where it came from. */
async function settings(sandbox: Sandbox, dir: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr } = await runCommand(sandbox, ["config", "--json"], {
    env: { SKILLS_DIR: dir, ...env },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

describe("seed 004 §11.2: config.yaml", () => {
  test("without a file every setting has the default of the schema", async () => {
    const sandbox = createSandbox();
    const shown = JSON.stringify(await settings(sandbox, writeLibrary(sandbox, SAMPLE)));
    for (const value of ["min_score", "0.2", "1048576", "10240", "npx tsx", "python3"])
      expect(shown).toContain(value);
  });
});

describe("seed 004 §11.3: config loading precedence", () => {
  // Two skills that share one of four words: how many it takes to match is a setting.
  const files = {
    "one.md": page("alpha, beta, gamma, delta", "One of four"),
  };
  const matches = async (library: string | undefined, own: string | undefined) => {
    const sandbox = createSandbox();
    if (own !== undefined) sandbox.write("home/.skills-mcp/config.yaml", `matching:\n  min_score: ${own}\n`);
    const { call } = await serveLibrary(sandbox, {
      ...files,
      ...(library === undefined ? {} : { "config.yaml": `matching:\n  min_score: ${library}\n` }),
    });
    return (await call("get_skill", { context: "alpha" }))["skill_path"] === "one";
  };
  test.each([
    ["1. the default (0.2) lets a quarter match", undefined, undefined, true],
    ["2. config.yaml goes over the default", "0.3", undefined, false],
    ["2b. the operator's own file goes over the library's", "0.3", "0.25", true],
  ])("%s", async (_rule, library, own, expected) => {
    expect(await matches(library, own)).toBe(expected);
  });

  test("3. the environment goes over both: ANALYTICS_ENDPOINT turns analytics on and names the endpoint", async () => {
    const sandbox = createSandbox();
    const sink = await createEventSink();
    sandbox.write(
      "home/.skills-mcp/config.yaml",
      "analytics:\n  enabled: false\n  endpoint: http://127.0.0.1:9/x\n",
    );
    const server = await serveLibrary(sandbox, SAMPLE, { env: { ANALYTICS_ENDPOINT: sink.url } });
    await server.call("get_skill", { context: "standalone" });
    // Sent at the end at the latest.
    await server.close();
    expect(sink.taken().map(({ type }) => type)).toEqual(["skill_served"]);
  });

  test("3. REFRESH_INTERVAL_MINUTES turns the refresh on and sets its interval", async () => {
    const sandbox = createSandbox();
    const dir = writeLibrary(sandbox, {
      "config.yaml": "refresh:\n  enabled: false\n  interval_minutes: 3\n",
    });
    const before = JSON.stringify(await settings(sandbox, dir));
    const after = JSON.stringify(await settings(sandbox, dir, { REFRESH_INTERVAL_MINUTES: "7" }));
    expect(before).not.toContain("REFRESH_INTERVAL_MINUTES");
    expect(after.match(/REFRESH_INTERVAL_MINUTES/g)).toHaveLength(2);
    expect(after).toContain("7");
  });
});

describe("seed 004 §11: a wrong value is one clear message that names the key, exit 2 and no start over HTTP", () => {
  const OVER_HTTP = ["mcp", "--transport", "http"];
  const FILES = [
    ["a number over its range", "matching:\n  min_score: 2\n", "config.yaml:2: matching.min_score is 2"],
    ["a text for a number", "scripts:\n  timeout_seconds: soon\n", 'scripts.timeout_seconds is "soon"'],
    ["a runner for no extension", "scripts:\n  runners:\n    sh: bash\n", "scripts.runners.sh"],
    ["broken YAML", "matching: [\n", "config.yaml"],
  ] as const;
  test.each(FILES)("%s", async (_what, text, message) => {
    const sandbox = createSandbox();
    const dir = writeLibrary(sandbox, { ...SAMPLE, "config.yaml": text });
    const { code, stdout, stderr } = await runCommand(sandbox, OVER_HTTP, { env: { SKILLS_DIR: dir } });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(message);
  });

  const VARIABLES = [
    ["REFRESH_INTERVAL_MINUTES", "abc"],
    ["REFRESH_INTERVAL_MINUTES", "0"],
    ["ANALYTICS_ENDPOINT", "not a url"],
  ] as const;
  test.each(VARIABLES)("L9: %s=%s", async (variable, value) => {
    const sandbox = createSandbox();
    const dir = writeLibrary(sandbox, SAMPLE);
    const { code, stdout, stderr } = await runCommand(sandbox, OVER_HTTP, {
      env: { SKILLS_DIR: dir, [variable]: value },
    });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(`${variable}: `);
  });

  test("an empty variable is one that is not set", async () => {
    const sandbox = createSandbox();
    const env = {
      SKILLS_DIR: writeLibrary(sandbox, SAMPLE),
      REFRESH_INTERVAL_MINUTES: "",
      ANALYTICS_ENDPOINT: "",
    };
    expect((await runCommand(sandbox, ["mcp"], { env })).code).toBe(0);
  });
});

describe("seed 004 §11.1: environment variables", () => {
  const server = shareLibrary(SAMPLE);
  test("SKILLS_DIR names the library", async () => {
    expect(await server().call("get_skill", { context: "standalone" })).toMatchObject({
      skill_path: "no-inherit",
    });
  });
});
