import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createSandbox, DISK_FOLDER } from "../../../../test/support/sandbox.ts";

const NOBODY = 65534;
const as = { uid: NOBODY, gid: NOBODY };
const VITEST = path.resolve("node_modules/vitest/vitest.mjs");
const FILES = ["findings", "escapes"].map((name) => `packages/library/test/scripts/sandbox-${name}.test.ts`);

/** Why the tests of the sandbox run as one user only; undefined when they can run as another one too. */
function whyOneUser(): string | undefined {
  if (process.getuid?.() !== 0)
    return "needs root, which may become another user; the other half has just run";
  const script = `require("node:fs").accessSync(${JSON.stringify(VITEST)})`;
  return spawnSync(process.execPath, ["-e", script], as).status === 0
    ? undefined
    : "another user cannot read this folder";
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const reason = whyOneUser();
const name = "the tests of the sandbox pass as another user than root";
test.skipIf(reason !== undefined)(
  reason === undefined ? name : `${name} (skipped: ${reason})`,
  () => {
    const { home } = createSandbox(DISK_FOLDER);
    chownSync(path.dirname(home), NOBODY, NOBODY);
    const TMPDIR = path.dirname(home);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        VITEST,
        "run",
        ...FILES,
        "--configLoader=runner",
        "--cache=false",
        "--maxWorkers=1",
        "--reporter=json",
      ],
      {
        ...as,
        env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home, TMPDIR },
        encoding: "utf8",
      },
    );
    expect(stderr).toBe("");
    const report = JSON.parse(stdout) as Report;
    const failed = report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === "failed"),
    );
    expect(failed).toEqual([]);
    expect(report.numPassedTests).toBeGreaterThan(3);
  },
  180_000,
);
