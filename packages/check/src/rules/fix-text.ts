import {
  cutFields,
  findFrontMatter,
  HOST_FIELDS,
  hostFieldsIn,
  type ParsedSkill,
  parseSkill,
  readYaml,
} from "#skills";
import { meantField } from "./known-fields.ts";

/** A text with everything corrected that can be without guessing, and the rules that it no longer breaks. */
export interface FixedText {
  readonly text: string;
  readonly rules: readonly string[];
}

interface Fix {
  readonly rule: string;
  apply(text: string): string;
}

/** The order matters: each one works on what those before it left. */
const FIXES: readonly Fix[] = [
  { rule: "bom", apply: (text) => text.replace(/^\ufeff/, "") },
  { rule: "crlf", apply: onHead((head) => head.replace(/\r\n?/g, "\n")) },
  { rule: "trailing-blanks", apply: onHead((head) => head.replace(/[ \t]+(?=\r|\n|$)/g, "")) },
  { rule: "field-spelling", apply: (text) => onBlock(text, renameFields) },
  { rule: "front-matter-recovered", apply: (text) => onBlock(text, quoteValues) },
];

/**
 * Corrects a SKILL.md. A correction that would change the body or what the skill says is not made, nor one after which agents would
 * act on a field that grants something.
 */
export function fixText(text: string): FixedText {
  let fixed = text;
  const rules: string[] = [];
  for (const { rule, apply } of FIXES) {
    const next = apply(fixed);
    if (next === fixed || !isHarmless(fixed, next)) continue;
    fixed = next;
    rules.push(rule);
  }
  return { text: fixed, rules };
}

/** True if name, description, values and body are unchanged; what could not be read before may be readable now. */
function isHarmless(before: string, after: string): boolean {
  const [old, fresh] = [parseSkill(before), parseSkill(after)];
  if (!fresh.ok) return !old.ok && bodyOf(before) === bodyOf(after);
  if (bodyOf(before) !== bodyOf(after)) return false;
  const isNewToAgents = !old.ok || fresh.skill.warnings.length < old.skill.warnings.length;
  if (isNewToAgents && Object.keys(hostFieldsIn(fresh.skill.fields)).length > 0) return false;
  if (!old.ok) return true;
  return said(old.skill) === said(fresh.skill) && fresh.skill.warnings.length <= old.skill.warnings.length;
}

function bodyOf(text: string): string | undefined {
  const { split } = findFrontMatter(text);
  return "problem" in split ? undefined : text.slice(split.block.bodyStart);
}

/** Everything that the front matter says, however its fields are spelled. */
function said({ name, description, fields }: ParsedSkill): string {
  const values = Object.entries(fields)
    .filter(([key]) => key !== "name" && key !== "description")
    .map(([key, value]) => JSON.stringify([meantField(key) ?? key, value]).replaceAll("\\r\\n", "\\n"));
  return JSON.stringify([name, description, values.sort()]);
}

/** Changes everything up to the body. */
function onHead(change: (head: string) => string): Fix["apply"] {
  return (text) => {
    const { split } = findFrontMatter(text);
    if ("problem" in split) return text;
    const { bodyStart } = split.block;
    return change(text.slice(0, bodyStart)) + text.slice(bodyStart);
  };
}

/** Changes lines of the front matter, which are given with their line ends. */
function onBlock(text: string, change: (lines: string[], source: string) => void): string {
  const { split } = findFrontMatter(text);
  if ("problem" in split) return text;
  const { start, end } = split.block;
  const source = text.slice(start, end);
  const lines = source.split(/(?<=\n)/);
  change(lines, source);
  return text.slice(0, start) + lines.join("") + text.slice(end);
}

function renameFields(lines: string[], source: string): void {
  const fields = cutFields(source);
  const present = new Set(fields.map(({ key }) => key));
  for (const { key, line } of fields) {
    const meant = meantField(key);
    const written = lines[line];
    if (meant === undefined || HOST_FIELDS.includes(meant)) continue;
    if (present.has(meant) || written?.startsWith(key) !== true) continue;
    lines[line] = meant + written.slice(key.length);
    present.add(meant);
  }
}

/** One line after the key, which YAML cannot read and a person can: `description: Use it for: PDF`. */
function quoteValues(lines: string[], source: string): void {
  for (const { key, first, rest, proper, line } of cutFields(source)) {
    const written = lines[line];
    if (!proper || written?.startsWith(`${key}:`) !== true || rest.some((more) => more.trim() !== ""))
      continue;
    if (first === "" || /^["'[{|>&*!%@`]/.test(first) || readYaml(`${key}: ${first}`).ok) continue;
    const lineEnd = /\r?\n$/.exec(written)?.[0] ?? "";
    lines[line] = `${key}: ${JSON.stringify(first)}${lineEnd}`;
  }
}
