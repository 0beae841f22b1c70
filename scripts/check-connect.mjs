// Real clients from npm and what `connect` writes for them: each one, in an empty home, shows the server and starts it; before and
// after, `disconnect` leaves the same bytes. Needs Linux or macOS; the clients are those of check:hosts.
//   npm run check:connect                    all of them
//   npm run check:connect -- claude codex    some
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { ensureBuilt, root } from "./bootstrap.mjs";
import { CONNECTIONS } from "./hosts/connections.mjs";
import { endLeftovers, runProcess } from "./hosts/processes.mjs";
import { installHost, versionOf } from "./hosts/versions.mjs";
import { startHttpServer } from "./http-server.mjs";

const RELAY = path.join(root, "scripts", "hosts", "relay.mjs");
const TIME_LIMIT_MS = 120_000;

const wanted = process.argv.slice(2);
const unknown = wanted.find((word) => !CONNECTIONS.some(({ program }) => program === word));
if (unknown !== undefined) {
  console.error(`unknown client '${unknown}'; use ${CONNECTIONS.map(({ program }) => program).join(", ")}`);
  process.exit(2);
}
ensureBuilt();
const server = await startHttpServer(["mcp", "--transport", "http"]);

let failures = 0;
console.log(line(["client", "version", "undone", "shown", "started", "http", "removed"]));
for (const client of CONNECTIONS) {
  if (wanted.length > 0 && !wanted.includes(client.program)) continue;
  const results = await check(client).catch((error) => [`FAILED: ${error.message}`]);
  failures += results.filter((result) => result.startsWith("FAILED")).length;
  console.log(line([client.id, versionOf(client.program), ...results]));
}
await server.close();
process.exitCode = failures === 0 ? 0 : 1;

function line(cells) {
  return cells
    .map((cell) => cell.padEnd(12))
    .join("  ")
    .trimEnd();
}

async function check(client) {
  const world = createWorld();
  try {
    const file = path.join(world.home, client.file);
    for (const [name, text] of Object.entries(client.before ?? {})) world.write(`home/${name}`, text);
    const before = read(file);
    connect(world, "connect", client.id);
    connect(world, "disconnect", client.id);
    const undone = same(read(file), before) ? "same bytes" : "FAILED: other bytes";

    const http = client.shows === undefined ? "-" : await checkHttp(client, world);

    await endLeftovers(world.base);
    rmSync(world.home, { recursive: true, maxRetries: 5, retryDelay: 100 });
    for (const [name, text] of Object.entries(client.before ?? {})) world.write(`home/${name}`, text);
    connect(world, "connect", client.id);
    const written = read(file);
    const output = await runClient(client, world, waitForAnswers(world.log));
    const shown =
      client.shows === undefined ? "-" : client.shows.test(output) ? "yes" : `FAILED: ${output.slice(-300)}`;
    const started = answersIn(world.log) ? "yes" : `FAILED: not started: ${output.slice(-300)}`;

    // Clients write to their own files as well: then the rest is theirs.
    const isUntouched = same(read(file), written);
    connect(world, "disconnect", client.id);
    const after = read(file);
    const isGone = isUntouched ? same(after, before) : !String(after ?? "").includes("cli.js");
    return [
      undone,
      shown,
      started,
      http,
      isGone ? (isUntouched ? "same bytes" : "entry only") : "FAILED: still there",
    ];
  } finally {
    await endLeftovers(world.base);
    rmSync(world.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Clients that can list their servers also say whether one at an address answers. */
async function checkHttp(client, world) {
  connect(world, "connect", client.id, "--http", server.url);
  const output = await runClient(client, world, new Promise(() => {}));
  const isConnected = /skills\b.*(?<!dis)connected/i.test(output) && output.includes(server.url);
  return isConnected ? "connected" : `FAILED: ${output.slice(-300)}`;
}

/** A home, a project, and a copy of the program whose script, which `connect` writes, also writes down what is said. */
function createWorld() {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "skills-mcp-connect-")));
  const write = (name, text) => {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
    writeFileSync(path.join(base, name), text);
    return path.join(base, name);
  };
  const log = path.join(base, "mcp.jsonl");
  for (const name of ["dist", "package.json"])
    cpSync(path.join(root, name), path.join(base, "program", name), { recursive: true });
  const bin = path.join(base, "program", "dist", "main.js");
  renameSync(path.join(base, "program", "dist", "cli.js"), bin);
  const words = [log, process.execPath, bin].map((word) => JSON.stringify(word)).join(", ");
  write(
    "program/dist/cli.js",
    `process.argv.splice(2, 0, ${words});\nimport(${JSON.stringify(pathToFileURL(RELAY).href)});\n`,
  );
  write("project/.git/HEAD", "ref: refs/heads/main\n");
  write("home/.kiro/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Fills in forms.\n---\nText.\n");
  return { base, bin, home: path.join(base, "home"), project: path.join(base, "project"), log, write };
}

/** Nothing of this machine's own, and no way to the network. */
function environmentOf({ home }) {
  const nowhere = "http://127.0.0.1:9";
  return {
    PATH: process.env.PATH,
    HOME: home,
    USER: "someone",
    SHELL: "/bin/sh",
    TERM: "dumb",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    ...Object.fromEntries(
      ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [name, nowhere]),
    ),
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
  };
}

function connect(world, command, id, ...flags) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [world.bin, command, id, ...flags], {
    cwd: world.project,
    env: environmentOf(world),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`);
}

/** Until it ends, or some time after `over`. */
async function runClient({ program, bin, args, env, needsNode22 }, world, over) {
  const inPath = installHost(program)(bin ?? program);
  const [command, ...first] = needsNode22 ? [installHost("node22")("node"), inPath] : [inPath];
  const { output } = await runProcess(
    { command, args: [...first, ...args], cwd: world.project, env: { ...environmentOf(world), ...env } },
    over,
    TIME_LIMIT_MS,
  );
  return output;
}

async function waitForAnswers(log) {
  // A client that never asks must not keep the check alive.
  while (!answersIn(log)) await pause(200, undefined, { ref: false });
}

/** The client was told who we are, so it started the server and speaks with it. */
function answersIn(log) {
  return existsSync(log) && readFileSync(log, "utf8").includes("serverInfo");
}

function read(file) {
  return existsSync(file) ? readFileSync(file) : undefined;
}

function same(a, b) {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
