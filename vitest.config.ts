import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No module keeps state (test/architecture.test.ts), so the test files of a worker can share their imports.
    isolate: false,
    // Most tests wait for a process or a watcher, so more of them run at once than there are cores.
    maxWorkers: 4,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // scripts/test.mjs prints the summary by folder.
      reporter: ["json-summary"],
      reportOnFailure: true,
      // Percentages, slightly below what was measured. End-to-end tests run the built bin in other processes, which this
      // does not see, so the edges (cli, http, mcp) look less covered than they are.
      thresholds: {
        "src/skill/**": { lines: 95, branches: 92 },
        "src/catalog/**": { lines: 95, branches: 92 },
        "src/search/engine/**": { lines: 95, branches: 92 },
      },
    },
  },
});
