import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { directImportsPlugin } from "../../scripts/direct-imports.mjs";
import { NODE } from "./bin.ts";
import type { Sandbox } from "./sandbox.ts";

export interface Recorder {
  /** The names of the events that it printed as safe. */
  readonly safe: () => readonly string[];
  readonly ended: Promise<void>;
  kill(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The client of Redis is a CommonJS module. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * How to start processes that record events: the module `entry`, which calls `recordUntilKilled`. Bundled once, because a process
 * that lives for a moment must not load a compiler first.
 */
export async function prepareRecorders(
  sandbox: Sandbox,
  entry: URL,
): Promise<(folder: string, endpoint: string, name: string, events?: number, redis?: string) => Recorder> {
  const script = sandbox.path("recorder.mjs");
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile: script,
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: REQUIRE },
    plugins: [directImportsPlugin(ROOT)],
    // As in the build: the other variant loads its files with a `require` that a bundler does not see.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  });
  return (folder, endpoint, name, events = 0, redis = "") => {
    const child = spawn(NODE, [script, folder, endpoint, name, String(events), redis], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    // Not "exit": what it said may still be in the pipe.
    const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
    const kill = async (): Promise<void> => {
      child.kill("SIGKILL");
      await ended;
    };
    onTestFinished(kill);
    return {
      // A line that has no end was cut off by the kill.
      safe: () => said.split("\n").slice(0, -1),
      ended,
      kill,
    };
  };
}
