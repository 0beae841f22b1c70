// Runs the MCP conformance suites against the built server over HTTP. They need Node 22, which is installed from npm.
// conformance-baseline.json lists the expected failures and why; any other failure, or an expected one that passes, fails.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuilt, root } from "./bootstrap.mjs";
import { startHttpServer } from "./http-server.mjs";
import { installTools } from "./install-tools.mjs";

const NODE = "22.23.3";
const PACKAGE = "@modelcontextprotocol/conformance";
const SKILLS = ["enumeration", "manifest", "directory"].map((part) => `sep-2640-skills-${part}`);
const ERAS = ["2025-11-25", "2026-07-28"];
const HEADERS = "http-header-validation";

/** Some scenarios call the first tool without arguments, so they need a server whose first tool takes none. */
const RUNS = [
  { suite: "0.1.16", args: ["--suite", "all"] },
  ...ERAS.map((era) => ({
    suite: "0.2.0-alpha.12",
    args: ["--suite", "all", "--spec-version", era],
    skip: [HEADERS],
  })),
  { suite: "0.2.0-alpha.12", args: ["--scenario", HEADERS, "--spec-version", ERAS[1]], tools: "catalog" },
  ...SKILLS.flatMap((scenario) =>
    ERAS.map((era) => ({
      suite: "0.2.0-alpha.12",
      args: ["--scenario", scenario, "--spec-version", era, "--force"],
    })),
  ),
];

ensureBuilt();
const node = path.join(installTools(`node-${NODE}`, { node: NODE }), "node", "bin", "node");
const baseline = JSON.parse(readFileSync(path.join(root, "scripts", "conformance-baseline.json"), "utf8"));

let problems = 0;
for (const run of RUNS) {
  const results = await runSuite(run);
  const scenarios = Object.entries(results).filter(([scenario]) => !run.skip?.includes(scenario));
  const found = scenarios.flatMap(([scenario, checks]) => judge(scenario, checks));
  const passed = scenarios
    .flatMap(([, checks]) => checks)
    .filter(({ status }) => status === "SUCCESS").length;
  const known = scenarios.filter(([scenario]) => entryOf(scenario) !== undefined).length;
  console.log(
    `${found.length === 0 ? "ok    " : "FAILED"}  ${run.suite} ${run.args.join(" ")}: ${passed} checks passed, ${scenarios.length} scenarios run, ${known} in the baseline`,
  );
  for (const line of found) console.log(`        ${line}`);
  problems += scenarios.length === 0 ? 1 : found.length;
}
process.exitCode = problems === 0 ? 0 : 1;

/** The checks of each scenario that ran. */
async function runSuite({ suite, args, tools }) {
  const bin = path.join(installTools(`conformance-${suite}`, { [PACKAGE]: suite }), ".bin", "conformance");
  const output = mkdtempSync(path.join(tmpdir(), "skills-mcp-conformance-"));
  const skills = ["--no-default-dirs", "--skill-dir", path.join(root, "examples", "skills")];
  const server = await startHttpServer([
    "mcp",
    "--transport",
    "http",
    ...skills,
    ...(tools === undefined ? [] : ["--tools", tools]),
  ]);
  try {
    spawnSync(node, [bin, "server", "--url", server.url, ...args, "-o", output], {
      stdio: "ignore",
      timeout: 300_000,
    });
    return Object.fromEntries(
      readdirSync(output).map((folder) => [
        folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, ""),
        JSON.parse(readFileSync(path.join(output, folder, "checks.json"), "utf8")),
      ]),
    );
  } finally {
    await server.close();
    rmSync(output, { recursive: true, force: true });
  }
}

function entryOf(scenario) {
  return baseline.find(({ scenarios }) => scenarios.includes(scenario));
}

/** The unexpected results of a scenario. */
function judge(scenario, checks) {
  const failed = checks.filter(({ status }) => status === "FAILURE");
  const entry = entryOf(scenario);
  if (entry !== undefined && failed.length === 0) return [`${scenario} passes: remove it from the baseline`];
  const expected = ({ id }) =>
    entry !== undefined && (entry.checks === undefined || entry.checks.includes(id));
  return failed
    .filter((check) => !expected(check))
    .map(({ id, errorMessage = "" }) => `${scenario}: ${id} failed. ${errorMessage}`);
}
