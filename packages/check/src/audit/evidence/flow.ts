/**
 * Follows data from where it is read to where it is used, by the names of variables, functions and files: through
 * assignments, loops, pipes, files that are written and read again, and calls between the files of one skill. It reads lines,
 * not a grammar, so it works for shell, Python and JavaScript alike and misses what is built to be missed.
 */
import { memoizeWeak } from "#util/pure";

export interface FlowKind {
  /** Where the data comes from. */
  readonly source: RegExp;
  /** Where it must not arrive. */
  readonly sink: RegExp;
  /** Makes something that sends what is written to it later, such as a socket. */
  readonly channel?: RegExp;
  /** A statement with one of these is an honest use. */
  readonly none: readonly RegExp[];
}

export interface FlowFile {
  readonly path: string;
  readonly statements: readonly FlowStatement[];
  /** Lines with a word of the source, and of the sink: no other line is compared with their patterns. */
  readonly sources: ReadonlySet<number>;
  readonly sinks: ReadonlySet<number>;
}

export interface FlowStatement {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  readonly lastLine: number;
  /** Prose outside of a block: it passes nothing on. */
  readonly isAlone: boolean;
}

export interface Flow {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Where the data was read, if that is another place. */
  readonly from: { readonly path: string; readonly line: number } | undefined;
}

const MOST_JOINED = 12;
const MOST_STATEMENTS = 5_000;
const MOST_TEXT = 4_000;

/** The statements of a code file: lines are joined until their brackets are closed. */
export function statementsOf(
  lines: readonly string[],
  isUsed: (line: number) => boolean,
): readonly FlowStatement[] {
  const statements: FlowStatement[] = [];
  for (let at = 0; at < lines.length && statements.length < MOST_STATEMENTS; at++) {
    const first = at;
    let text = lines[at] ?? "";
    if (text.trim() === "" || !isUsed(at + 1)) continue;
    let open = bracketsOf(text);
    for (
      let more = 0;
      (open > 0 || text.endsWith("\\")) && more < MOST_JOINED && at + 1 < lines.length;
      more++
    ) {
      if (
        /^\s{0,80}(?:def|function|class|export|const|async)\b/.test(lines[at + 1] ?? "") &&
        /[{:]\s{0,5}$/.test(text)
      )
        break;
      const next = lines[++at] ?? "";
      text = `${text.endsWith("\\") ? text.slice(0, -1) : text}\n${next}`;
      open += bracketsOf(next);
    }
    // The body of a block is read line by line, so that what a function gets and what it does stay apart.
    if (/[{:]\s{0,5}$/.test(lines[first] ?? "") && OPENS_BLOCK.test(lines[first] ?? "")) {
      at = first;
      text = lines[first] ?? "";
    }
    statements.push({ text: text.slice(0, MOST_TEXT), line: first + 1, lastLine: at + 1, isAlone: false });
  }
  return statements;
}

const OPENS_BLOCK =
  /^\s{0,80}(?:(?:export\s|default\s|async\s|pub\s|static\s){0,4}(?:function|def|class|if|for|while|try|else|elif|switch|with|do|then)\b|\w{1,60}\s{0,3}\(\s{0,3}\)\s{0,3}\{|(?:const|let|var)\s{1,3}\w{1,60}\s{0,3}=\s{0,3}(?:async\s{0,3})?(?:\([^)]{0,200}\)|\w{1,40})\s{0,3}=>|\}\s{0,3}(?:else|catch|finally))/;

function bracketsOf(line: string): number {
  let open = 0;
  for (let at = 0; at < line.length && at < MOST_TEXT; at++) {
    const code = line.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) open++;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) open--;
  }
  return open;
}

/** What is known of names after a look at all files. */
interface FlowNames {
  readonly functions: Map<string, DataOrigin>;
  readonly sinks: Set<string>;
  readonly shared: Map<string, DataOrigin>;
}

interface DataOrigin {
  readonly path: string;
  readonly line: number;
}

/** Every place where data of the source arrives at the sink. Two looks: the first learns what functions return and send. */
export function findFlows(kind: FlowKind, files: readonly FlowFile[]): readonly Flow[] {
  // Most texts have words of both ends and none of the two.
  const has = (end: "sources" | "sinks", pattern: RegExp | undefined): boolean =>
    pattern !== undefined &&
    files.some((file) => file.statements.some((each) => touches(file[end], each) && pattern.test(each.text)));
  if (!has("sources", kind.source) || !(has("sinks", kind.sink) || has("sinks", kind.channel))) return [];
  const known: FlowNames = { functions: new Map(), sinks: new Set(), shared: new Map() };
  for (const file of files) flowsIn(kind, file, known);
  return files.flatMap((file) => flowsIn(kind, file, known));
}

const IDENTIFIER = /[A-Za-z_]\w{0,80}/g;
/** Too common to follow. */
const COMMON = new Set(
  "os sys self this process window module exports console json JSON path fs re print return await const let var new if for in of the a".split(
    " ",
  ),
);
const FUNCTION =
  /^(\s{0,80})(?:export\s{1,3})?(?:default\s{1,3})?(?:async\s{1,3})?(?:(?:function|def)\s{1,3}(\w{1,60})\s{0,3}\(([^)]{0,400})|(\w{1,60})\s{0,3}\(\s{0,3}\)\s{0,3}\{|(?:const|let|var)\s{1,3}(\w{1,60})\s{0,3}=\s{0,3}(?:async\s{0,3})?\(?([^)=]{0,200})\)?\s{0,3}=>)/;

function flowsIn(
  kind: FlowKind,
  { path, statements, sources, sinks }: FlowFile,
  known: FlowNames,
): readonly Flow[] {
  const found: Flow[] = [];
  let tainted = new Map<string, DataOrigin>(known.shared);
  const channels = new Set<string>();
  let files: { readonly name: string; readonly from: DataOrigin }[] = [];
  let current:
    | { readonly name: string; readonly parameters: ReadonlySet<string>; readonly indent: number }
    | undefined;
  for (const statement of statements) {
    const { text, line, isAlone } = statement;
    const { begun, names } = namesIn(statement);
    if (begun !== null) {
      const [, indent = "", named, parameters, shell, arrow, given] = begun;
      if (indent === "")
        tainted = new Map([...tainted].filter(([name]) => known.shared.has(name) || /^[A-Z_]{3}/.test(name)));
      const taken = (parameters ?? given ?? "").match(IDENTIFIER) ?? [];
      current = { name: named ?? shell ?? arrow ?? "", parameters: new Set(taken), indent: indent.length };
    } else if (current !== undefined && /^\S/.test(text) && !/^[})\]]/.test(text)) current = undefined;
    const here = { path, line };
    const isSource = touches(sources, statement) && kind.source.test(text);
    const from =
      (isSource ? here : undefined) ??
      firstOf(names, (name) => tainted.get(name) ?? returnedBy(name, text, known)) ??
      files.find(({ name }) => text.includes(name))?.from;
    const isSink =
      (touches(sinks, statement) && kind.sink.test(text)) ||
      (begun === null && names.some((name) => known.sinks.has(name) && isCalled(text, name)));
    const intoChannel =
      names.some((name) => channels.has(name)) &&
      /\.(?:write|end|send\w{0,10}|emit|publish)\s{0,3}\(/.test(text);
    if (touches(sinks, statement) && kind.channel?.test(text))
      for (const name of targetsIn(statement)) channels.add(name);
    if (
      isSink &&
      current !== undefined &&
      names.some((name) => current?.parameters.has(name)) &&
      begun === null
    )
      known.sinks.add(current.name);
    if (from === undefined || kind.none.some((pattern) => pattern.test(text))) continue;
    if (isSink || intoChannel) {
      const isHere = from.path === path && from.line === line;
      found.push({ path, line, text, from: isHere ? undefined : from });
      continue;
    }
    if (isAlone) continue;
    for (const name of targetsIn(statement)) {
      tainted.set(name, from);
      if (current === undefined && /^[A-Z][A-Z0-9_]{3}/.test(name)) known.shared.set(name, from);
    }
    files = [...files, ...writtenIn(statement).map((name) => ({ name, from }))].slice(-20);
    if (current !== undefined && (RETURNS.test(text) || (begun !== null && !/[{:]\s{0,5}$/.test(text))))
      known.functions.set(current.name, from);
  }
  return found;
}

// Cached for each statement, because every kind of flow reads a file twice.
const namesIn = memoizeWeak(({ text }: FlowStatement) => ({
  begun: FUNCTION.exec(text),
  names: [...new Set(text.match(IDENTIFIER) ?? [])].filter((name) => !COMMON.has(name)),
}));
const targetsIn = memoizeWeak(({ text }: FlowStatement) => targetsOf(text));
const writtenIn = memoizeWeak(({ text }: FlowStatement) => writtenBy(text));

function touches(lines: ReadonlySet<number>, { line, lastLine }: FlowStatement): boolean {
  for (let at = line; at <= lastLine; at++) if (lines.has(at)) return true;
  return false;
}

const RETURNS = /^\s{0,80}(?:return|yield)\b/;

function returnedBy(name: string, text: string, { functions }: FlowNames): DataOrigin | undefined {
  const from = functions.get(name);
  return from !== undefined && isCalled(text, name) ? from : undefined;
}

function firstOf<T>(names: readonly string[], look: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const found = look(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isCalled(text: string, name: string): boolean {
  const at = text.indexOf(`${name}(`);
  if (at >= 0) return true;
  return text.includes(`$(${name}`) || new RegExp(`(?:^|[;&|]\\s{0,3})${name}(?:\\s|$)`, "m").test(text);
}

const TARGETS: readonly RegExp[] = [
  /(?:^|[;&\n({]|\bthen\b|\bdo\b)\s{0,80}(?:(?:export|local|declare|readonly|set)\s{1,3}(?:-\w{1,3}\s{1,3})?)?(\w{1,60})=(?!=)/g,
  /\b(?:const|let|var)\s{1,3}(?:\{([^}]{1,200})\}|\[([^\]]{1,200})\]|(\w{1,60}))\s{0,3}(?::[^=\n]{1,80})?=/g,
  /^\s{0,80}(?:self\.|this\.)?(\w{1,60})(?:\.\w{1,60}){0,3}(?:\[[^\]\n]{0,80}\])?\s{0,3}(?::[^=\n]{1,80})?[+|]?=(?!=)/gm,
  /^\s{0,80}(\w{1,60}(?:,\s{0,3}\w{1,60}){1,5})\s{0,3}=(?!=)/gm,
  /\bfor\s{1,3}([\w, ()]{1,80}?)\s{1,3}in\b/g,
  /\bfor\s{0,3}\(\s{0,3}(?:const|let|var)\s{1,3}\[?([\w, ]{1,80})\]?\s{1,3}of\b/g,
  /\bas\s{1,3}(\w{1,60})\s{0,3}:/g,
  /^\s{0,80}(\w{1,60})\.(?:append|push|read\w{0,10}|add|update|extend|set|write\w{0,8}|concat|merge)\s{0,3}\(/gm,
  /\bread\s{1,3}(?:-\w{1,3}\s{1,3}){0,3}(\w{1,60})/g,
];

function targetsOf(text: string): readonly string[] {
  const names: string[] = [];
  for (const pattern of TARGETS)
    for (const match of text.matchAll(pattern))
      for (const group of match.slice(1))
        for (const name of group?.match(IDENTIFIER) ?? []) if (!COMMON.has(name)) names.push(name);
  return names;
}

const WRITTEN: readonly RegExp[] = [
  />>?\s{0,3}["']?([\w./~${}-]{4,80})/g,
  /\b(?:tar|zip)\s{1,3}-?\w{1,8}\s{1,3}["']?([\w./~${}-]{4,80})/g,
  /\btee\s{1,3}(?:-a\s{1,3})?["']?([\w./~${}-]{4,80})/g,
  /\bcp\s{1,3}(?:-\w{1,4}\s{1,3})?\S{1,200}\s{1,3}["']?([\w./~${}-]{4,80})/g,
  /\b(?:copy\w{0,6}|move|save|writeFile\w{0,4}|open)\s{0,3}\([^)\n]{0,200}["'`]((?:\/tmp|\/var|~|\.)\/?[\w./-]{3,80})["'`]/g,
  /\s-(?:o|O|qO)\s{1,3}["']?(\$\{?\w{1,40}\}?|[\w./~${}-]{4,80})/g,
];

function writtenBy(text: string): readonly string[] {
  return WRITTEN.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = ""]) => name)).filter(
    (name) => !name.startsWith("/dev/"),
  );
}
