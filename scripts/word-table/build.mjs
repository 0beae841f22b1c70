// `node_modules/.bin/tsx scripts/word-table/build.mjs <folder>` makes data/words.i4 and data/words.txt from the texts in a folder, as README.md
// says, in some minutes.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap.mjs";
import { readPairs, SHARES } from "./pairs.mjs";
import { train } from "./train.mjs";

/** The table that training begins with: distilled from a sentence encoder (data/NOTICE.txt). */
const FIRST = "0e886ceb";
const DIMENSIONS = 128;

/** Words that were stemmed further when the first table was made, by the stem that they had. */
const STEMS = {
  emerg: ["emergenc", "emergent"],
  even: ["evening"],
  intern: ["internal", "internat", "internment"],
  interv: ["interval"],
  later: ["lateral"],
  organ: ["organiz", "organic", "organism"],
  past: ["paste"],
  univers: ["universal", "universiti"],
};

const sources = process.argv[2];
if (sources === undefined) {
  console.error("Name the folder with the texts: scripts/word-table/README.md says how to fill it.");
  process.exit(2);
}
const { words, rows } = withStems(firstTable());
const pairs = readPairs(sources, new Map(words.map((word, row) => [word, row])));
for (const kind of Object.keys(SHARES)) console.log(`${kind}: ${pairs[kind].length} pairs`);
writeTable(words, train(rows, DIMENSIONS, pairs, console.log));

function firstTable() {
  const read = (file) =>
    execFileSync("git", ["show", `${FIRST}:data/${file}`], { cwd: root, maxBuffer: 2 ** 28 });
  const words = read("words.txt").toString("latin1").trimEnd().split("\n");
  const bytes = read("words.i4");
  const rows = new Float64Array(words.length * DIMENSIONS);
  for (let at = 0; at < rows.length; at++) {
    const byte = bytes[4 * words.length + (at >> 1)];
    const value = (at % 2 === 0 ? byte & 15 : byte >> 4) - 8;
    rows[at] = value * bytes.readFloatLE(4 * Math.floor(at / DIMENSIONS));
  }
  return { words, rows };
}

/** The table with rows for these stems, each a copy of the row that its words had. */
function withStems({ words, rows }) {
  const rowOf = new Map(words.map((word, row) => [word, row]));
  for (const [old, stems] of Object.entries(STEMS)) for (const stem of stems) rowOf.set(stem, rowOf.get(old));
  const all = [...rowOf].sort(([one], [other]) => (one < other ? -1 : 1));
  const sorted = new Float64Array(all.length * DIMENSIONS);
  for (const [at, [, row]] of all.entries()) {
    sorted.set(rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), at * DIMENSIONS);
  }
  return { words: all.map(([word]) => word), rows: sorted };
}

/** A scale for each row, then four bits for each number: the scale is the one of many that loses least. */
function writeTable(words, rows) {
  const scales = Buffer.alloc(4 * words.length);
  const numbers = Buffer.alloc((words.length * DIMENSIONS) / 2);
  for (const row of words.keys()) {
    const values = rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
    const scale = bestScale(values);
    scales.writeFloatLE(scale, 4 * row);
    for (let at = 0; at < DIMENSIONS; at += 2) {
      const [low, high] = [rounded(values[at], scale) + 8, rounded(values[at + 1], scale) + 8];
      numbers[(row * DIMENSIONS + at) / 2] = low | (high << 4);
    }
  }
  writeFileSync(path.join(root, "data", "words.i4"), Buffer.concat([scales, numbers]));
  writeFileSync(path.join(root, "data", "words.txt"), `${words.join("\n")}\n`);
}

function bestScale(values) {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  let best = { scale: 1, loss: Number.POSITIVE_INFINITY };
  for (let part = 8; part <= 20; part++) {
    const scale = (largest * part) / 20 / 7;
    const loss = values.reduce((sum, value) => sum + (value - rounded(value, scale) * scale) ** 2, 0);
    if (loss < best.loss) best = { scale, loss };
  }
  return best.scale;
}

function rounded(value, scale) {
  return Math.max(-8, Math.min(7, Math.round(value / scale)));
}
