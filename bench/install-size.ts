// `npm run bench -- install-size`: what it takes to install the package on a machine that has nothing of it, beside other packages from
// the registry that npm is configured for. Each installation has an empty cache. Ours is fetched from a server on this machine, because it
// need not be published: its time is without the way to a registry, which is a request more and 5 MB.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { readArguments } from "./arguments.ts";
import { figure, interleave, median, ratio, table, timed } from "./measure.ts";
import { createWorkspace } from "./workspace.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const BASELINE = "skills@1.7.4";
const OTHERS = [BASELINE, "@playwright/mcp@0.0.83"];
/** Of the time that the baseline takes. */
const LIMIT = 2;

interface Installed {
  readonly packages: number;
  /** In MB: what was fetched, and what is on the disk. */
  readonly fetched: number;
  readonly unpacked: number;
}

const { rounds } = readArguments({ rounds: 3 });
const { root: scratch } = createWorkspace();
const { url, close } = await serveFile(await pack());
const installed = new Map<string, Installed>();
let folders = 0;
const subjects = [["skills-mcp", url] as const, ...OTHERS.map((name) => [name, name] as const)].map(
  ([name, what]) => ({
    name,
    measure: async () => {
      process.stderr.write(`installing ${name}\n`);
      const folder = path.join(scratch, `machine-${folders++}`);
      const { seconds, result } = await install(what, folder);
      installed.set(name, result);
      return seconds;
    },
  }),
);
const samples = await interleave(rounds, subjects);
close();

const secondsOf = (name: string): number => median(samples.get(name) ?? []);
const baseline = secondsOf(BASELINE);
const rows = subjects.map(({ name }) => {
  const { packages, fetched, unpacked } = installed.get(name) as Installed;
  const seconds = secondsOf(name);
  const megabytes = [fetched, unpacked].map((value) => value.toFixed(1));
  return [name, String(packages), ...megabytes, figure(seconds), ratio(seconds, baseline)];
});
const columns = ["", "packages", "MB fetched", "MB unpacked", "seconds", `to ${BASELINE}`];
console.log(table(columns, rows));
const isWithin = secondsOf("skills-mcp") <= LIMIT * baseline;
console.log(`\nMedians of ${rounds} rounds. The limit of ${LIMIT}× is ${isWithin ? "met" : "not met"}.`);
process.exitCode = isWithin ? 0 : 1;

async function install(what: string, folder: string) {
  mkdirSync(folder, { recursive: true });
  const cache = path.join(folder, "cache");
  const flags = ["--no-audit", "--no-fund", "--loglevel=error", "--cache", cache];
  const ms = await timed(() => npm(["install", "--prefix", folder, ...flags, what], folder));
  const modules = path.join(folder, "node_modules");
  const { packages } = JSON.parse(readFileSync(path.join(modules, ".package-lock.json"), "utf8")) as {
    packages: object;
  };
  const result: Installed = {
    packages: Object.keys(packages).length,
    fetched: megabytesIn(path.join(cache, "_cacache", "content-v2")),
    unpacked: megabytesIn(modules),
  };
  return { seconds: ms / 1_000, result };
}

/** Packed as `npm publish` would. */
async function pack(): Promise<string> {
  await npm(["pack", "--ignore-scripts", "--silent", "--pack-destination", scratch], ROOT);
  const file = readdirSync(scratch).find((name) => name.endsWith(".tgz"));
  return path.join(scratch, file ?? "");
}

/** Without what an outer `npm run` says about its project, or npm would work on that one; with where packages come from. */
async function npm(args: readonly string[], cwd: string): Promise<void> {
  const kept = new Set(["npm_config_registry", "npm_config_userconfig", "npm_config_globalconfig"]);
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || kept.has(name.toLowerCase()),
  );
  const child = spawn("npm", args, {
    cwd,
    env: Object.fromEntries(environment),
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`npm ${args.join(" ")} ended with ${status}.`);
}

async function serveFile(file: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const bytes = readFileSync(file);
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/${path.basename(file)}`, close: () => server.close() };
}

function megabytesIn(folder: string): number {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0) / 1e6
  );
}
