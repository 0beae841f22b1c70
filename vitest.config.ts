import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that wait for processes, sockets, watchers or a browser. */
const WAITING =
  /^(?:test[/\\](?:e2e|one-place)|packages[/\\](?:web|fleet|library|sources|server|skills|install|trust)[/\\])/;

/** What waits comes first: at the end of a run, short tests keep both cores busy, and a long one would run alone. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWaiting = ({ moduleId }: TestSpecification): boolean =>
      WAITING.test(path.relative(".", moduleId));
    const sorted = await super.sort(files);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
    // Also for npm run check:windows, where every server is a process of Windows' Node.
    setupFiles:
      process.platform === "win32" || process.env["SKILLS_MCP_TEST_SYSTEM"] === "win32"
        ? ["test/support/skip-on-windows.ts"]
        : [],
    // Far above what any test takes: only what never happens fails, also on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    // No module keeps state (scripts/parts/rules.mjs), so the test files of a worker can share their imports.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
    // Most tests wait for a process or a watcher, so more of them run at once than there are cores; each worker loads the sources.
    maxWorkers: 5,
    // Tests start thousands of processes, and the larger a worker is, the longer it takes to fork.
    execArgv: ["--max-semi-space-size=4"],
    // The reporter lists each test that is slower, which would be most of the end-to-end tests.
    slowTestThreshold: 10_000,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["packages/web/**"],
      // scripts/test.mjs prints the summary by folder.
      reporter: ["json-summary"],
      reportOnFailure: true,
      // Percentages, slightly below what was measured in process without bubblewrap, chromium and Redis, which a contributor may
      // not have. What tests of the built bin run is not seen, so the edges (cli, server) look less covered than they are.
      thresholds: {
        "packages/util/src/pure/**": { lines: 99, branches: 96 },
        "packages/util/**": { lines: 94, branches: 83 },
        "packages/agents/**": { lines: 97, branches: 86 },
        "packages/{skills/src/{skill,catalog,library},server/src/mcp/describe}/**": {
          lines: 99,
          branches: 96,
        },
        "packages/skills/**": { lines: 95, branches: 90 },
        "packages/config/**": { lines: 97, branches: 90 },
        "packages/search/src/engine/**": { lines: 99, branches: 94 },
        "packages/search/src/cache/**": { lines: 98, branches: 93 },
        "packages/search/**": { lines: 96, branches: 88 },
        "packages/library/src/matching/**": { lines: 99, branches: 94 },
        "packages/library/**": { lines: 85, branches: 76 },
        "packages/sources/**": { lines: 94, branches: 88 },
        "packages/install/src/{lock,content,apply}/**": { lines: 91, branches: 81 },
        "packages/install/**": { lines: 90, branches: 73 },
        "packages/check/**": { lines: 95, branches: 86 },
        "packages/trust/**": { lines: 90, branches: 77 },
        "packages/usage/**": { lines: 86, branches: 74 },
        "packages/server/**": { lines: 88, branches: 80 },
        "packages/cli/**": { lines: 82, branches: 74 },
      },
    },
  },
});
