#!/usr/bin/env node
// How many files does a request pass through? Runs the server from source under V8's coverage and counts the files of
// packages/*/src with a named function that was called. Fails if a walk is longer than its aim.
//   npm run check:walks -- [--list]     --list names the files, by part
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "./bootstrap.mjs";

const { values: options } = parseArgs({ options: { list: { type: "boolean", default: false } } });
const MODERN = "2026-07-28";
/** For what a start leaves until nobody waits for it. */
const SETTLE_MS = 1_000;

ensureInstalled();
const folder = mkdtempSync(path.join(tmpdir(), "skills-mcp-walks-"));
let isShort = true;
try {
  // Five of these follow the settings files, so that a mistake and its repair are seen without a restart.
  // Two have what differs by system: how folders are watched here, and what this system has in common with others. Others have what
  // a skill needs, whom an operator shows it to, the dependencies of the project and the policy of the machine.
  report("stdio: initialize, tools/list, skill", 140, await stdioWalk("skill", { name: "pdf-forms" }));
  const started = await httpWalk(() => undefined);
  const called = await httpWalk(callSkill);
  // One of these has the names of agents, which are collected when one is asked for instead of at each start, and one the rules
  // of whom an operator shows a skill to.
  report(
    "http: one skill call after the start",
    27,
    called.filter((file) => !started.includes(file)),
  );
  report("stdio: find_skills", 165, await stdioWalk("find_skills", { task: "fill in a PDF form" }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isShort ? 0 : 1;

function report(walk, aim, files) {
  if (files.length > aim) isShort = false;
  console.log(`${walk}: ${files.length} files, aim ${aim}${files.length > aim ? ": MISSED" : ""}`);
  if (!options.list) return;
  for (const part of new Set(files.map(partOf))) {
    const ofPart = files.filter((file) => partOf(file) === part);
    console.log(`  ${part} (${ofPart.length})`);
    for (const file of ofPart) console.log(`    ${file.split("/").slice(3).join("/")}`);
  }
}

function partOf(file) {
  return file.split("/")[1];
}

/** The files that one stdio session executes, from `initialize` to the answer of one tool. */
async function stdioWalk(name, args) {
  const server = startServer(["mcp"]);
  const answers = createInterface({ input: server.child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method, params) => {
    id++;
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error(`no answer to ${method}:\n${server.log()}`);
      const message = JSON.parse(value);
      if (message.id === id) return resultOf(message);
    }
  };
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "walk", version: "1" },
  });
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  await ask("tools/list", {});
  await ask("tools/call", { name, arguments: args });
  server.child.stdin.end();
  return server.executed();
}

/** The files that an HTTP server executes until it listens and `request` is answered. */
async function httpWalk(request) {
  const server = startServer(["mcp", "--transport", "http", "--port", "0"]);
  let address;
  while ((address = /listening on (\S+)/.exec(server.log())?.[1]) === undefined) {
    if (server.child.exitCode !== null) throw new Error(`the server did not start:\n${server.log()}`);
    await pause(50);
  }
  await pause(SETTLE_MS);
  await request(address);
  server.child.kill("SIGTERM");
  return server.executed();
}

async function callSkill(url) {
  const params = {
    name: "skill",
    arguments: { name: "pdf-forms" },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": MODERN,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "walk", version: "1" },
    },
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": MODERN,
      "mcp-method": "tools/call",
      "mcp-name": "skill",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the call was refused: ${text}`);
  resultOf(JSON.parse(/^(?:event: .*\n)?data: (.*)$/m.exec(text)?.[1] ?? text));
}

function resultOf({ result, error }) {
  if (result === undefined || result.isError) throw new Error(JSON.stringify(error ?? result));
  return result;
}

/** Starts the command line from source, with a home folder that holds two skills. */
function startServer(args) {
  const home = mkdtempSync(path.join(folder, "home-"));
  const coverage = path.join(home, "coverage");
  addSkill(home, "pdf-forms", "Fills in PDF forms. Use for tax returns and applications.");
  addSkill(home, "release-notes", "Writes release notes from the commits since the last tag.");
  const project = path.join(home, "project");
  mkdirSync(project);
  const loader = pathToFileURL(path.join(root, "scripts", "walks", "load-source.mjs")).href;
  const script = path.join(root, "scripts", "walks", "run-source.mjs");
  const child = spawn(process.execPath, ["--import", loader, script, ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home, NODE_V8_COVERAGE: coverage },
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const ended = once(child, "exit");
  return {
    child,
    log: () => log,
    async executed() {
      const [code] = await ended;
      if (code !== 0) throw new Error(`the server ended with ${code}:\n${log}`);
      return executedFiles(coverage);
    },
  };
}

function addSkill(home, name, description) {
  const skill = path.join(home, ".claude", "skills", name);
  mkdirSync(skill, { recursive: true });
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it step by step.\n`;
  writeFileSync(path.join(skill, "SKILL.md"), text);
}

/** The sources with a named function that was called, sorted. What loading a module runs has no name. */
function executedFiles(coverage) {
  const files = new Set();
  for (const name of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(path.join(coverage, name), "utf8")).result) {
      if (!url.startsWith("file:")) continue;
      const file = path.relative(root, fileURLToPath(url)).split(path.sep).join("/");
      if (!/^packages\/[^/]+\/src\//.test(file)) continue;
      if (functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0))
        files.add(file);
    }
  }
  return [...files].sort((a, b) => (a < b ? -1 : 1));
}
