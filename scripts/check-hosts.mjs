// Real agents from npm, a stub model on loopback: what their models see of the skills at turn 1, whether a skill reaches them
// unchanged, and whether any is shown twice. Needs Linux, about 3 GB for the agents, and openssl and script for Claude Code.
//   npm run check:hosts                                          everything: an hour on a slow machine
//   npm run check:hosts -- claude codex --skills 8,60            some agents (an id, or the beginning of one), some sizes
//   npm run check:hosts -- gemini --only folders                 one thing: skills, folders, long or slash
//   npm run check:hosts -- --json out.json --bin other/dist/cli.js
//   npm run check:hosts -- qwen --keep                           leaves its homes, and every request, on the disk
//   npm run check:hosts -- --write-docs                          also updates the tables in docs/clients
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, root } from "./bootstrap.mjs";
import { HOSTS } from "./hosts/all-hosts.mjs";
import { judge } from "./hosts/expectations.mjs";
import { measureFolders, measureLong, measureSkills, measureSlash } from "./hosts/measure.mjs";
import { describe, HEADER } from "./hosts/report.mjs";
import { versionOf } from "./hosts/versions.mjs";
import { writeDocs } from "./hosts/write-docs.mjs";

const KINDS = ["skills", "folders", "long", "slash"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    skills: { type: "string", default: "8,60,1200" },
    only: { type: "string", default: KINDS.join(",") },
    json: { type: "string" },
    bin: { type: "string" },
    keep: { type: "boolean", default: false },
    "write-docs": { type: "boolean", default: false },
  },
});
const sizes = values.skills.split(",").map(Number);
const kinds = values.only.split(",");
const isMeant = (word, { id }) => id === word || id.startsWith(`${word}-`);
const unknown = positionals.find((word) => !HOSTS.some((host) => isMeant(word, host)));
const hosts = HOSTS.filter(
  (host) => positionals.length === 0 || positionals.some((word) => isMeant(word, host)),
);
const bin = path.resolve(values.bin ?? path.join(root, "dist", "cli.js"));
const options = { bin, keep: values.keep };

const isSize = (size) => Number.isInteger(size) && size >= 1 && size <= 1_200;
if (!sizes.every(isSize)) refuse("--skills takes numbers from 1 to 1200");
if (!kinds.every((kind) => KINDS.includes(kind))) refuse(`--only takes ${KINDS.join(", ")}`);
if (unknown !== undefined) refuse(`unknown agent '${unknown}'; use ${HOSTS.map(({ id }) => id).join(", ")}`);
if (values.bin === undefined) ensureBuilt();
else if (!existsSync(bin)) refuse(`--bin: '${values.bin}' does not exist`);
// Ends the agent that is running, and removes its home.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const results = [];
let [passed, failed] = [0, 0];
console.log(HEADER);
for (const host of hosts) {
  for (const { what, skills, measure } of measurementsOf(host)) {
    const found = await measure().catch((error) => ({ error: error.message }));
    const date = new Date().toISOString().slice(0, 10);
    const result = {
      host: host.id,
      version: versionOf(host.program),
      date,
      what,
      ...(skills && { skills }),
      found,
    };
    const checks = judge(result);
    results.push(result);
    console.log(describe(host, result));
    if (found.output) console.log(found.output.replace(/^/gm, "    "));
    for (const { what, expected, seen } of checks.filter(({ isMet }) => !isMet)) {
      console.log(`    FAILED: ${what}: ${seen}, expected ${expected}`);
    }
    passed += checks.filter(({ isMet }) => isMet).length;
    failed += checks.filter(({ isMet }) => !isMet).length;
    if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`);
  }
}
if (values["write-docs"]) writeDocs(results);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function measurementsOf(host) {
  const all = [
    ...sizes.map((skills) => ({
      what: "skills",
      skills,
      measure: () => measureSkills(host, options, skills),
    })),
    ...(host.isFirst ? [{ what: "folders", measure: () => measureFolders(host, options) }] : []),
    ...(host.isFirst ? [{ what: "long", measure: () => measureLong(host, options) }] : []),
    ...(host.slash ? [{ what: "slash", measure: () => measureSlash(host, options) }] : []),
  ];
  return all.filter(({ what }) => kinds.includes(what));
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
