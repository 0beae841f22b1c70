// The client matrix: real clients from npm. Each lists the skills, loads one, sees a new one, and receives the notification
// if it supports them. `npm run check:clients -- SDK` runs the clients whose name contains a word.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensureBuilt, root } from "./bootstrap.mjs";
import { createAdapters } from "./client-adapters.mjs";
import { startHttpServer } from "./http-server.mjs";

const LONGEST_WAIT_MS = 20_000;

ensureBuilt();
const [wanted = ""] = process.argv.slice(2);
const rows = createAdapters().filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
const home = mkdtempSync(path.join(tmpdir(), "skills-mcp-clients-"));
const skills = path.join(home, "skills");
addSkill("first");
const skillFlags = ["--no-default-dirs", "--no-plugins", "--skill-dir", skills];
const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
const stdio = {
  command: process.execPath,
  args: [path.join(root, "dist", "cli.js"), "mcp", ...skillFlags],
  env,
  cwd: home,
};
const needsHttp = rows.some(({ transport }) => transport !== "stdio");
const server = needsHttp ? await startHttpServer(["mcp", "--transport", "http", ...skillFlags]) : undefined;

let failures = 0;
console.log(line("client", "transport", ["list", "load", "change", "notify", "verify"]));
for (const [index, { name, transport, open }] of rows.entries()) {
  const results = await tryClient(open, transport, `added-${index}`);
  failures += results.filter((result) => result.startsWith("FAILED")).length;
  console.log(line(name, transport, results));
}
await server?.close();
rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
process.exitCode = failures === 0 ? 0 : 1;

/** One word for each step. A client that cannot connect fails the first step. */
async function tryClient(open, transport, added) {
  const isHttp = transport !== "stdio";
  const target = isHttp ? { url: server.url, env, cwd: home } : stdio;
  let client;
  const results = [];
  const step = async (work) => {
    try {
      results.push((await work()) ?? "ok");
    } catch (error) {
      results.push(`FAILED (${error instanceof Error ? error.message.split("\n")[0] : String(error)})`);
    }
  };
  await step(async () => {
    if (isHttp)
      await until(async () => (await openStreams()) === 0, "a stream of the last client is still open");
    client = await within(open(target), "it did not connect");
    if (!(await client.describe()).includes("<name>first</name>")) throw new Error("the skill is not listed");
  });
  if (client === undefined) return results;
  await step(async () => {
    if (!(await client.load("first")).includes("Body of first")) throw new Error("another text was loaded");
  });
  let before;
  await step(async () => {
    // Clients open their stream for notifications after they are connected; a notification sent earlier is lost.
    if (isHttp && client.notices !== undefined)
      await until(async () => (await openStreams()) > 0, "it opened no stream for notifications");
    before = client.notices?.();
    addSkill(added);
    await until(
      async () => (await client.describe()).includes(`<name>${added}</name>`),
      "the new skill is not listed",
    );
    if (!(await client.load(added)).includes(`Body of ${added}`)) throw new Error("another text was loaded");
  });
  await step(async () => {
    if (client.notices === undefined) return "–";
    return until(() => client.notices() > before, "no notification arrived");
  });
  await step(async () => (client.verify === undefined ? "–" : void (await client.verify())));
  await within(client.close(), "it did not close").catch(() => {});
  return results;
}

/** How many streams the server has open. */
async function openStreams() {
  const metrics = await (await fetch(new URL("/metrics", server.url))).text();
  return Number(/^skills_mcp_streams (\d+)$/m.exec(metrics)?.[1]);
}

function addSkill(name) {
  const folder = path.join(skills, name);
  mkdirSync(folder, { recursive: true });
  const text = `---\nname: ${name}\ndescription: For ${name} things.\n---\n\nBody of ${name}\n`;
  writeFileSync(path.join(folder, "SKILL.md"), text);
}

async function until(isTrue, otherwise) {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(otherwise);
    await pause(100);
  }
}

function within(promise, otherwise) {
  const late = pause(LONGEST_WAIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(otherwise);
  });
  return Promise.race([promise, late]);
}

function line(name, transport, results) {
  return [name.padEnd(20), transport.padEnd(10), ...results.map((result) => result.padEnd(8))]
    .join(" ")
    .trimEnd();
}
