import { isRecord } from "#util/pure";
import type { Problem } from "./diagnostic.ts";
import { type Fields, missing, readRequired, unreadable, visibleFields } from "./front-matter/fields.ts";
import { lineOfKey } from "./front-matter/key-lines.ts";
import { findFrontMatter, type Reading, readBlock } from "./front-matter/split.ts";
import type { ParseOptions } from "./parse-skill.ts";

interface ParsedLibrarySkill {
  readonly frontMatter: LibraryFrontMatter;
  /** Every front matter field as data. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Index in the text at which the body begins. */
  readonly bodyStart: number;
  readonly warnings: readonly Problem[];
}

type LibraryParseResult =
  | { readonly ok: true; readonly skill: ParsedLibrarySkill }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Reads the text of a library's Markdown file. Never throws. With `strict`, a front matter that had to be recovered or
 * has invisible characters is refused with that as the reason.
 */
export function parseLibrarySkill(text: string, options: ParseOptions = {}): LibraryParseResult {
  const { split } = options.finding ?? findFrontMatter(text);
  if ("problem" in split) return { ok: false, problem: inLibrary(split.problem) };
  const reading = readBlock(text, split.block);
  if ("problem" in reading) return { ok: false, problem: reading.problem };
  const { source, bodyStart } = reading;
  const { fields, problem: invisible } = visibleFields(reading.fields, source, split.block.firstLine);

  const description = readRequired(fields, "description", source);
  if (description.kind === "unreadable" || reading.unreadable.has("description")) {
    return { ok: false, problem: unreadable("description", source, split.block.firstLine) };
  }
  const { keywords, ...rest } = readLibraryFields(fields);
  if (keywords === undefined) {
    return { ok: false, problem: missingKeywords(reading, split.block.firstLine) };
  }
  if (description.kind === "missing") return { ok: false, problem: missing("description", fields) };
  const found = invisible === undefined ? reading.warnings : [...reading.warnings, invisible];
  const [first] = found;
  if (options.strict === true && first !== undefined) return { ok: false, problem: first };

  const { warnings, ...declared } = rest;
  const frontMatter = { keywords, description: description.text, ...declared };
  return {
    ok: true,
    skill: { frontMatter, fields, bodyStart, warnings: [...found, ...warnings] },
  };
}

/** Any Markdown file may be in a library: a README is not a mistake, it is just not a skill. */
function inLibrary(problem: Problem): Problem {
  if (problem.code !== "no-front-matter") return problem;
  const message =
    "No front matter, so this is not a library skill. To make it one, start the file with a `---` line, then `keywords: […]` and `description:` lines and a closing `---` line.";
  return { ...problem, message };
}

/** Why a library skill has no keywords, and what to write. `firstLine` is the line on which its front matter begins. */
function missingKeywords(reading: Reading, firstLine: number): Problem {
  return {
    ...lineOfKey("keywords", reading.source, firstLine),
    code: "missing-keywords",
    message: reasonOf(reading),
  };
}

const EXAMPLE = "`keywords: [react, login]`";

function reasonOf({ fields, unreadable, warnings }: Reading): string {
  const { keywords } = fields;
  if (unreadable.has("keywords")) {
    return `\`keywords\` opens a list or a map and never closes it. Put the words in brackets, such as ${EXAMPLE}.`;
  }
  if (typeof keywords === "string" && keywords.trim() !== "") {
    const recovered = warnings.some(({ code }) => code === "front-matter-recovered");
    return reasonOfText(keywords, recovered);
  }
  if (typeof keywords === "number" || typeof keywords === "boolean") {
    return `${NO_LIST}. Write \`keywords: [${String(keywords)}]\`.`;
  }
  if (isRecord(keywords)) {
    return `${NO_LIST}, not a map. Write ${EXAMPLE}.`;
  }
  const state = "keywords" in fields ? "empty" : "missing";
  const hint = "name" in fields ? " To serve a folder of SKILL.md skills, use --skill-dir." : "";
  return `\`keywords\` is ${state} in the front matter, so no search can find the skill. Add a line such as ${EXAMPLE}.${hint}`;
}

const NO_LIST = "In a library, `keywords` must be a list";

/** `recovered`: YAML could not read the block, so the text is exactly what is written there. */
function reasonOfText(text: string, recovered: boolean): string {
  if (recovered && ALIAS.test(text)) {
    return `\`keywords\` contains an alias (\`*name\`), and aliases are not supported. Write out the words, such as ${EXAMPLE}.`;
  }
  // Anything else would not be a list of these words between brackets.
  if (PLAIN_WORDS.test(text)) return `${NO_LIST}. Write \`keywords: [${text}]\`.`;
  return `${NO_LIST} that YAML can parse. Separate the words with commas, and put those with special characters in double quotes, such as \`keywords: [react, "c#"]\`.`;
}

const ALIAS = /(?:^|[[,])\s*\*/;
const PLAIN_WORDS = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M} _.,/+-]*$/u;

/** A file that a library skill declares. */
interface DeclaredAsset {
  /** Below the skill's resource folder, with `/`. */
  readonly file: string;
  readonly description: string;
  readonly type: string;
}

interface ScriptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The value when a caller gives none. */
  readonly default?: string;
}

/** A script that a library skill declares. */
interface DeclaredScript {
  readonly file: string;
  readonly description: string;
  /** `claude`: the agent fetches and runs it. `server`: the server runs it. */
  readonly execution: "claude" | "server";
  /** It needs the network. The operator's `scripts.network` decides whether it gets it. */
  readonly network?: true;
  readonly args: readonly ScriptArgument[];
}

/** What the front matter of a library skill says, defaults filled in. */
export interface LibraryFrontMatter {
  /** As written; at least one. */
  readonly keywords: readonly string[];
  readonly description: string;
  readonly inherit: boolean;
  readonly priority: number;
  readonly assets: readonly DeclaredAsset[];
  readonly scripts: readonly DeclaredScript[];
}

interface LibraryFields extends Omit<LibraryFrontMatter, "keywords" | "description"> {
  /** The keywords; undefined when the field is no list of words. */
  readonly keywords: readonly string[] | undefined;
  readonly warnings: readonly Problem[];
}

/** The fields of a library skill, defaults filled in. What cannot be used is ignored with a warning. */
export function readLibraryFields(fields: Fields): LibraryFields {
  const warnings: Problem[] = [];
  const warn = (message: string): void => void warnings.push({ code: "library-field", message });
  return {
    keywords: readKeywords(fields["keywords"], warn),
    inherit: readInherit(fields["inherit"], warn),
    priority: readPriority(fields["priority"], warn),
    assets: readList(fields["assets"], "assets", warn).flatMap((entry, index) =>
      readAsset(entry, `assets[${index}]`, warn),
    ),
    scripts: readList(fields["scripts"], "scripts", warn).flatMap((entry, index) =>
      readScript(entry, `scripts[${index}]`, warn),
    ),
    warnings,
  };
}

type WarnLibrary = (message: string) => void;

function readKeywords(value: unknown, warn: WarnLibrary): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  // A nested list is an indentation mistake; its words count too.
  const words = value.flat(8);
  const keywords = words.flatMap((word) => {
    const text = scalarText(word)?.trim() ?? "";
    return text === "" ? [] : [text];
  });
  if (keywords.length === 0) return undefined;
  if (keywords.length < words.length) warn("Some `keywords` are empty or not words; they are ignored.");
  return keywords;
}

function readInherit(value: unknown, warn: WarnLibrary): boolean {
  if (value !== undefined && value !== null && typeof value !== "boolean") {
    warn(`\`inherit\` must be true or false; ${shown(value)} is treated as true.`);
  }
  return value !== false;
}

/** As much as a lead that makes an answer certain; more would let a skill push aside every other. */
const MOST_PRIORITY = 100;

function readPriority(value: unknown, warn: WarnLibrary): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isFinite(value)) {
    const bounded = Math.min(Math.max(value, -MOST_PRIORITY), MOST_PRIORITY);
    if (bounded !== value)
      warn(
        `\`priority\` counts between -${MOST_PRIORITY} and ${MOST_PRIORITY}; ${value} is treated as ${bounded}.`,
      );
    return bounded;
  }
  warn(`\`priority\` must be a number; ${shown(value)} is treated as 0.`);
  return 0;
}

function readList(value: unknown, field: string, warn: WarnLibrary): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  warn(`\`${field}\` must be a list; it is ignored.`);
  return [];
}

function readAsset(entry: unknown, at: string, warn: WarnLibrary): readonly DeclaredAsset[] {
  const declared = readFile(entry, at, warn);
  if (declared === undefined) return [];
  const { file, description, fields } = declared;
  const type = readText(fields["type"], `${at}.type`, "treated as other", warn).trim();
  return [{ file, description, type: type === "" ? "other" : type }];
}

function readScript(entry: unknown, at: string, warn: WarnLibrary): readonly DeclaredScript[] {
  const declared = readFile(entry, at, warn);
  if (declared === undefined) return [];
  const { file, description, fields } = declared;
  const { execution } = fields;
  if (execution !== undefined && execution !== null && execution !== "claude" && execution !== "server") {
    warn(`\`${at}.execution\` must be claude or server; ${shown(execution)} is treated as claude.`);
  }
  const args = readList(fields["args"], `${at}.args`, warn).flatMap((argument, index) =>
    readArgument(argument, `${at}.args[${index}]`, warn),
  );
  return [
    {
      file,
      description,
      execution: execution === "server" ? "server" : "claude",
      ...(readNetwork(fields["network"], at, warn) ? { network: true } : {}),
      args,
    },
  ];
}

function readNetwork(value: unknown, at: string, warn: WarnLibrary): boolean {
  if (value !== undefined && value !== null && typeof value !== "boolean") {
    warn(`\`${at}.network\` must be true or false; ${shown(value)} is treated as false.`);
  }
  return value === true;
}

function readArgument(entry: unknown, at: string, warn: WarnLibrary): readonly ScriptArgument[] {
  const fields = isRecord(entry) ? entry : { name: entry };
  const name = scalarText(fields["name"])?.trim() ?? "";
  if (name === "") {
    warn(`\`${at}\` has no \`name\`; it is ignored.`);
    return [];
  }
  const { required } = fields;
  // YAML 1.2 knows no other words: `no` is a text.
  if (required !== undefined && required !== null && typeof required !== "boolean") {
    warn(`\`${at}.required\` must be true or false; ${shown(required)} is treated as true.`);
  }
  const value = readDefault(fields["default"], at, warn);
  return [
    {
      name,
      description: readDescription(fields, at, warn),
      required: required !== false,
      ...(value === undefined ? {} : { default: value }),
    },
  ];
}

function readDefault(value: unknown, at: string, warn: WarnLibrary): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = scalarText(value);
  if (text === undefined) warn(`\`${at}.default\` must be a text; it is ignored.`);
  return text;
}

/** A declaration is a map with a `file`; a path alone is one too. */
function readFile(entry: unknown, at: string, warn: WarnLibrary) {
  const fields: Fields = isRecord(entry) ? entry : { file: entry };
  const file = scalarText(fields["file"])?.trim() ?? "";
  if (file === "") {
    warn(`\`${at}\` has no \`file\`; it is ignored.`);
    return undefined;
  }
  return { file, description: readDescription(fields, at, warn), fields };
}

function readDescription(fields: Fields, at: string, warn: WarnLibrary): string {
  return readText(fields["description"], `${at}.description`, "ignored", warn);
}

function readText(value: unknown, field: string, instead: string, warn: WarnLibrary): string {
  if (value === undefined || value === null) return "";
  const text = scalarText(value);
  if (text === undefined) warn(`\`${field}\` must be text; ${shown(value)} is ${instead}.`);
  return text ?? "";
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

const LONGEST_SHOWN = 40;

function shown(value: unknown): string {
  const text = scalarText(value);
  if (text === undefined) return "a list or a map";
  return `'${text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text}'`;
}
