// Tables in docs/clients, written from what was measured. docs/clients/measured.json has the newest result of each kind for each
// agent, so that a run with some agents updates only theirs. A table stands between `<!-- measured <kind>: <ids> -->` and
// `<!-- /measured -->`; the kind is that of a measurement, and the ids are those of its agents, or `all`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap.mjs";
import { HOSTS } from "./all-hosts.mjs";

const FOLDER = path.join(root, "docs", "clients");
const MEASURED = path.join(FOLDER, "measured.json");
const TABLE = /(<!-- measured (\w+): ([^>]+?) -->\n)[^]*?(<!-- \/measured -->)/g;

export function writeDocs(results) {
  const known = existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, "utf8")) : [];
  const all = mergeResults(known, results);
  writeFileSync(MEASURED, `${JSON.stringify(all, null, 1)}\n`);
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".md"))) {
    const file = path.join(FOLDER, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, withTables(text, all));
  }
}

const keyOf = ({ host, what, skills = 0 }) => [host, what, skills].join(" ");

/** A run that failed says nothing about the agent, so it replaces no result. */
function mergeResults(known, results) {
  const merged = new Map(known.map((result) => [keyOf(result), result]));
  for (const result of results) if (result.found.error === undefined) merged.set(keyOf(result), result);
  const order = HOSTS.map(({ id }) => id);
  const rank = ({ host, what, skills = 0 }) => [order.indexOf(host), what, skills];
  return [...merged.values()].sort((a, b) => compare(rank(a), rank(b)));
}

function compare(a, b) {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index] < b[index] ? -1 : 1;
}

/** Replaces every table of a page. */
function withTables(text, results) {
  return text.replace(TABLE, (_all, begin, kind, ids, end) => {
    const wanted = ids === "all" ? HOSTS : HOSTS.filter(({ id }) => ids.split(" ").includes(id));
    const rows = wanted.flatMap((host) => {
      const own = results.filter(({ host: id, what }) => id === host.id && what === kind);
      if (own.length === 0) return [];
      const title = ids === "all" ? `[${host.title}](${host.page}.md)` : host.title;
      return [[title, own.at(-1).version, own.at(-1).date, ...CELLS[kind](own)]];
    });
    const header = ["agent", "version", "measured", ...HEADERS[kind]];
    const lines = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
    return `${begin}${lines.join("\n")}\n${end}`;
  });
}

const HEADERS = {
  skills: ["names at turn 1", "whole descriptions", "the tool `skill`", "a loaded file"],
  folders: ["folders it reads itself", "skills listed twice"],
  long: ["characters in the file", "in our answer", "the answer"],
  slash: ["typed", "the file"],
};

/** The cells of a row from all results of one agent and one kind; only `skills` has several, one for each size. */
const CELLS = {
  skills: (own) => {
    const counts = (key) =>
      own.map(({ skills, found }) => `${inWords(found[key])} of ${inWords(skills)}`).join(", ");
    const { tool, loaded } = own[0].found;
    return [counts("names"), counts("whole"), tool, loaded];
  },
  folders: ([{ found }]) => [codeOf(found.reads), codeOf(found.twice)],
  long: ([{ found }]) => [inWords(found.file), inWords(found.sent), found.reached],
  slash: ([{ found }]) => [codeOf([found.typed]), found.loaded],
};

const inWords = (count) => count.toLocaleString("en-US");
const codeOf = (values) => values.map((value) => `\`${value}\``).join(" ") || "none";
