import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A skill that was written, and how large its file is. */
export interface WrittenSkill {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes `count` skills below `dir`, the same ones every time: files of 2 to 8 KB, descriptions of 110 to 480
 * characters, and a `references` folder in every third skill.
 */
export function writeCorpus(dir: string, count: number): readonly WrittenSkill[] {
  const random = createRandom(count + 1);
  mkdirSync(dir, { recursive: true });
  return Array.from({ length: count }, (_, index) => {
    const topic = pick(TOPICS, random);
    const verb = pick(VERBS, random);
    const noun = pick(NOUNS, random);
    const name = `${topic}-${verb}-${noun}-${index}`;
    const folder = path.join(dir, name);
    const file = path.join(folder, "SKILL.md");
    const subject = `${verb} ${topic} ${noun}`;
    const text = skillText(name, subject, random);
    mkdirSync(folder);
    writeFileSync(file, text);
    if (index % 3 === 0) {
      mkdirSync(path.join(folder, "references"));
      writeFileSync(path.join(folder, "references", "details.md"), bodyText(subject, 3_000, random));
    }
    return { name, file, bytes: text.length };
  });
}

function skillText(name: string, subject: string, random: () => number): string {
  const description = descriptionText(subject, 110 + Math.floor(random() * 370), random);
  const head = `---\nname: ${name}\ndescription: "${description}"\nlicense: MIT\nmetadata:\n  version: "1.0.0"\n---\n\n`;
  const size = 2_000 + Math.floor(random() * 6_000);
  return head + bodyText(subject, size - head.length, random);
}

function descriptionText(subject: string, length: number, random: () => number): string {
  let text = `Helps to ${subject}. Use when the user asks to ${subject}`;
  while (text.length < length) text += `, or to ${pick(VERBS, random)} ${pick(NOUNS, random)}`;
  return `${text.slice(0, length - 1).trimEnd()}.`;
}

function bodyText(subject: string, length: number, random: () => number): string {
  let text = `# How to ${subject}\n\n`;
  for (let step = 1; text.length < length; step++) {
    if (step % 8 === 0) text += `\n## ${pick(VERBS, random)} ${pick(NOUNS, random)}\n\n`;
    text += `${step}. ${pick(SENTENCES, random)} (${pick(TOPICS, random)})\n`;
  }
  return `${text.slice(0, Math.max(1, length) - 1)}\n`;
}

function pick(list: readonly string[], random: () => number): string {
  return list[Math.floor(random() * list.length)] ?? "";
}

/** Mulberry32: small, even enough, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TOPICS = [
  "postgres",
  "react",
  "docker",
  "pandas",
  "pdf",
  "oauth",
  "pytorch",
  "swift",
  "vitest",
  "invoice",
];
const VERBS = [
  "generate",
  "review",
  "migrate",
  "debug",
  "optimize",
  "document",
  "deploy",
  "profile",
  "convert",
];
const NOUNS = [
  "pipelines",
  "schemas",
  "components",
  "reports",
  "endpoints",
  "dashboards",
  "queries",
  "releases",
];
const SENTENCES = [
  "Read the existing configuration and note every deviation from the defaults.",
  "Prefer small reversible steps and verify each one before you continue.",
  "When the input is ambiguous, list the readings and take the safest one.",
  "Record the exact command you ran together with its exit status.",
  "Measure before and after, and report the median of at least five runs.",
  "If a step fails twice, stop and explain what you saw.",
  "Use the reference for edge cases such as time zones, encodings and partial writes.",
];
