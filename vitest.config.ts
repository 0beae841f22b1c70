import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No module keeps state (test/architecture.test.ts), so the files of a worker can share what they import.
    isolate: false,
    // Most tests wait for a process or a watcher, so more run at once than there are cores.
    maxWorkers: 4,
    // Many tests race real processes; a machine that stalls in the wrong moment gets a second chance where nobody watches.
    retry: process.env["CI"] === undefined ? 0 : 1,
  },
});
