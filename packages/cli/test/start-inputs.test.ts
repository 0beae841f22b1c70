import { expect, onTestFinished, test, vi } from "vitest";
import { findStartInputs, readsMoreThanFlags } from "#server";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { parseFlags } from "../src/flags.ts";
import { planServer, STDIO_COMMANDS } from "../src/plan-server.ts";
import { SERVER_FLAGS } from "../src/server-flags.ts";

const NONE = { policy: false, settings: false, library: false };

/** The plan of `skills-mcp mcp` in a sandbox. */
function planIn(sandbox: Sandbox, ...args: readonly string[]) {
  vi.spyOn(process, "cwd").mockReturnValue(sandbox.project);
  onTestFinished(() => void vi.restoreAllMocks());
  const { flags } = parseFlags(["--user-dir", sandbox.home, ...args], SERVER_FLAGS);
  return planServer(flags, STDIO_COMMANDS.mcp(flags), {});
}

test("start inputs: a command line alone can refuse nothing more", () => {
  const plan = planIn(createSandbox());
  expect(findStartInputs(plan)).toEqual(NONE);
  expect(readsMoreThanFlags(plan)).toBe(false);
});

test.each([
  ["rules of trust", "home/.skills-mcp/trust.yaml", "policy"],
  ["the user's settings", "home/.skills-mcp/config.yaml", "settings"],
  ["the project's settings", "project/.skills-mcp.yaml", "settings"],
])("start inputs: %s count, whatever they contain", (_, file, input) => {
  const sandbox = createSandbox();
  sandbox.write(file, "");
  const plan = planIn(sandbox);
  expect(findStartInputs(plan)).toEqual({ ...NONE, [input]: true });
  expect(readsMoreThanFlags(plan)).toBe(true);
});

test.each([
  ["a wrong value", { REFRESH_INTERVAL_MINUTES: "soon" }, "settings"],
  ["a library", { SKILLS_DIR: "/nowhere" }, "library"],
  ["a repository", { SKILLS_REPO: "https://example.com/x" }, "library"],
])("start inputs: %s in the environment counts", (_, environment, input) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(findStartInputs(planIn(createSandbox()))).toEqual({ ...NONE, [input]: true });
});

test("plan: a collector's address that is no URL is refused before anything is answered", () => {
  expect(() => planIn(createSandbox(), "--otlp", "collector:4318")).toThrow(/--otlp takes an http/);
});
