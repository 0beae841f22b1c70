import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { NODE } from "../../../test/support/bin.ts";
import { createEventSink } from "../../../test/support/event-sink.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import type { UsageState } from "../src/create-usage.ts";

/** In namespaces of its own, a process may mount a disk of any size. */
const canMount =
  spawnSync("unshare", ["-Urm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /tmp"]).status === 0;

interface Report {
  readonly log: readonly string[];
  readonly safe: readonly boolean[];
  readonly whileDown: UsageState;
  readonly after: UsageState;
}

async function runOnDisk(sandbox: Sandbox, disk: string, endpoint: string, events: number): Promise<Report> {
  const script = sandbox.path("disk-user.mjs");
  const entry = fileURLToPath(new URL("./disk-user.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile: script, bundle: true, format: "esm", platform: "node" });
  const child = spawn(
    "unshare",
    [
      ...[
        "-Urm",
        "sh",
        "-c",
        `mount -t tmpfs -o ${disk} tmpfs "$1" && shift && exec "$@"`,
        "sh",
        sandbox.home,
      ],
      ...[NODE, script, sandbox.home, endpoint, String(events)],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  await new Promise((resolve) => child.on("close", resolve));
  return JSON.parse(stdout) as Report;
}

// Skipped where user namespaces are not allowed (no Linux, or a locked-down one).
test.skipIf(!canMount).each([
  ["is full", "size=64k", "ENOSPC", 1500],
  ["cannot be written", "ro", "EROFS", 300],
])(
  "when the disk %s, events are kept in memory with one warning, and all arrive",
  async (_what, disk, code, events) => {
    const sandbox = createSandbox();
    const sink = await createEventSink();
    sink.behave((request) => (request === 0 ? { kind: "status", status: 503 } : { kind: "accept" }));
    const { log, safe, whileDown, after } = await runOnDisk(sandbox, disk, sink.url, events);
    expect(log.filter((line) => line.includes("cannot write to"))).toEqual([
      expect.stringContaining(`(${code})`) as string,
    ]);
    expect(safe.at(-1)).toBe(false);
    expect(whileDown.bufferWritable).toBe(false);
    expect(after).toMatchObject({ queued: 0, delivered: events, dropped: 0 });
    expect(after.failure).toBeUndefined();
    const arrived = new Set(sink.taken().map(({ data }) => data["context"]));
    expect(arrived.size).toBe(events);
    expect(new Set(sink.taken().map(({ event_id }) => event_id)).size).toBe(events);
  },
);
