import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { termsOfWord, wordsOf } from "../../packages/search/src/engine/words/analyse.ts";

/** How often a pair of each kind is drawn. */
export const SHARES = {
  /** Of a package of Debian: its title and its first paragraph; its first paragraph and its second. */
  title: 4,
  paragraphs: 2,
  /** Of WordNet: synonyms and their gloss; a word and a sentence with it; two synonyms. */
  gloss: 3,
  example: 1,
  synonyms: 2,
  /** Of FOLDOC: a term of computing and its definition. */
  definition: 1,
  /** Of `everyday.txt`: how people ask for a task, and what it is called; all that they say, and what it is called. */
  asked: 3,
  task: 0.5,
};

/** Longer texts are cut: what they are about stands at their beginning. */
const MOST_TERMS = 60;

/** The terms of a text that a document would be indexed by. */
function termsOf(text) {
  return wordsOf(text)
    .flatMap((word) => {
      const { parts, joined } = termsOfWord(word);
      return joined === null ? parts : [...parts, joined];
    })
    .slice(0, MOST_TERMS);
}

/** Pairs of texts about the same thing, by kind; each text as rows of the table and the square roots of how often their terms occur. */
export function readPairs(sources, rows) {
  const pairs = Object.fromEntries(Object.keys(SHARES).map((kind) => [kind, []]));
  const counted = (text) => {
    const counts = new Map();
    for (const term of termsOf(text)) {
      const row = rows.get(term);
      if (row !== undefined) counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    return [...counts].map(([row, count]) => [row, Math.sqrt(count)]);
  };
  const add = (kind, one, other) => {
    const pair = [counted(one), counted(other)];
    if (pair.every((text) => text.length > 0)) pairs[kind].push(pair);
  };
  addPackages(path.join(sources, "Translation-en.xz"), add);
  addSynonyms(path.join(sources, "usr/share/wordnet"), add);
  addDefinitions(path.join(sources, "usr/share/dictd/foldoc.dict.dz"), add);
  addTasks(new URL("everyday.txt", import.meta.url), add);
  return pairs;
}

function addPackages(file, add) {
  const text = execFileSync("xz", ["-dc", file], { maxBuffer: 2 ** 28 }).toString("utf8");
  for (const block of text.split("\n\n")) {
    const [, title, long] = /Description-en: (.*)\n([\s\S]*)/.exec(block) ?? [];
    // Their descriptions are made from a template.
    if (title === undefined || /^Package: (?:librust-|golang-github|task-|language-|node-)/.test(block))
      continue;
    const paragraphs = long
      .split(/\n \.\n/)
      .map((paragraph) => paragraph.replace(/\n /g, " ").trim())
      .filter((paragraph) => paragraph.length > 40);
    const [first, second] = paragraphs;
    if (first !== undefined) add("title", title, first);
    if (second !== undefined && !second.startsWith("This package")) add("paragraphs", first, second);
  }
}

function addSynonyms(folder, add) {
  for (const part of ["noun", "verb", "adj", "adv"]) {
    for (const line of readFileSync(path.join(folder, `data.${part}`), "utf8").split("\n")) {
      if (!/^\d{8} /.test(line)) continue;
      const [head, tail = ""] = line.split(" | ");
      const fields = head.split(" ");
      const words = Array.from({ length: Number.parseInt(fields[3], 16) }, (_, at) =>
        fields[4 + 2 * at].replace(/_/g, " ").replace(/\(.*\)/, ""),
      ).filter((word) => !/[A-Z]/.test(word));
      if (words.length === 0) continue;
      const [gloss, ...examples] = tail.split(/; (?=")/);
      add("gloss", words.join(" "), gloss.replace(/"[^"]*"/g, ""));
      for (const example of examples) add("example", words[0], example);
      for (const other of words.slice(1)) add("synonyms", words[0], other);
    }
  }
}

function addDefinitions(file, add) {
  for (const entry of gunzipSync(readFileSync(file))
    .toString("latin1")
    .split(/\n(?=\S)/)) {
    const [, term, text] = /^(.+)\n\n?([\s\S]+)/.exec(entry) ?? [];
    const definition = text
      ?.replace(/<[^>]*>/g, " ")
      .replace(/[{}]/g, "")
      .replace(/\s+/g, " ");
    if (definition !== undefined && definition.length > 40) add("definition", term, definition.slice(0, 500));
  }
}

function addTasks(file, add) {
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const at = line.indexOf(":");
    if (line.startsWith("#") || at === -1) continue;
    const names = line.slice(0, at);
    const asked = line.slice(at + 1).split(";");
    for (const phrase of asked) add("asked", phrase, names);
    add("task", asked.join(" "), names);
  }
}
