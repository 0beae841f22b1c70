import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { createReaderLease } from "../../src/versions/reader-lease.ts";

const DAY_MS = 24 * 3_600_000;

test("reader lease: a server that reads one version for weeks renews it, until it lets it go", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const sandbox = createSandbox();
  const readers = sandbox.path("cache/readers");
  const lease = createReaderLease(sandbox.path("cache"));
  await lease.hold("a".repeat(40));
  const [name = ""] = readdirSync(readers);
  // As another process does with a lease that was not renewed.
  rmSync(path.join(readers, name));
  vi.advanceTimersByTime(DAY_MS);
  await waitUntil("the lease is there again", () => readdirSync(readers).includes(name));
  await lease.release();
  vi.advanceTimersByTime(2 * DAY_MS);
  expect(readdirSync(readers)).toEqual([]);
});
