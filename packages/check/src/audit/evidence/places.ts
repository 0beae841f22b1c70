import type { FileKind } from "../rule.ts";

/**
 * Where a line stands, which decides how much it weighs:
 * `command`: code that is run, or a block of commands. `sample`: a block of another language. `text`: prose, which the agent
 * reads as instructions. `data`: a value in JSON, YAML or the like. `mention`: a comment, a table, a pattern that looks for
 * something, a message that is printed; nothing of it is done.
 */
export type PlaceOfLine = "command" | "sample" | "text" | "data" | "mention";

export interface LinePlaces {
  /** Of a line, from 1 on. */
  at(line: number): PlaceOfLine;
  isShell(line: number): boolean;
}

const SHELL_FILE =
  /(?:^|\/)(?:[^/]{1,200}\.(?:sh|bash|zsh|ksh|fish|command|envrc)|Makefile|Dockerfile|Justfile|\.envrc|\.\w{2,9}rc)$/i;
const DATA_FILE =
  /\.(?:json|jsonc|ya?ml|toml|xml|csv|tsv|lock|ini|plist|html?|css|svg|ipynb|tmpl|example|dist)$/i;
const SHELL_BLOCK = /^(?:sh|bash|zsh|shell|shellscript|console|terminal|fish|powershell|ps1|pwsh|cmd|bat|)$/i;
const DATA_BLOCK =
  /^(?:ya?ml|json|jsonc|toml|xml|ini|csv|txt|text|log|output|diff|html|css|sql|mermaid|plaintext)$/i;
const FENCE = /^[\s>]{0,40}(```+|~~~+)\s{0,5}([\w+#-]{0,30})/;
const TABLE = /^\s{0,9}\|.{0,4000}\|/;
/** Names of values that some program runs. */
const RUN_VALUE =
  /["']?(?:command|commands|cmd|run|script|exec|entrypoint|args|pre\w{1,12}|post\w{1,12}|install|on\w{3,20}Command|RUN|ProgramArguments)["']?\s{0,3}[:=[]|<string>|<script|python\/object|^\s{1,20}-\s|^\s{0,20}\|/i;
const COMMENT = /^\s{0,80}(?:#(?!!)|\/\/|\/\*|\*(?!\/?[\w/])|--\s|;\s|%\s|<!--|rem\s|"""|''')/i;
/** Looks for something, prints or explains it. */
const LOOKS =
  /(?:^|[\s([{,=:])r["']|\bre\.(?:compile|search|match|sub|findall)\b|patterns?\b|\bregex|\bRegExp\b|\(\?i\)|\\s[+*{]|\\b\w|["'](?:examples?|pattern|description|message|title|reason|detail|name|help|fix|label|warning|advice|recommendation|text|content)["']?\s{0,3}[:=]|\b(?:help|description|usage|message)\s{0,3}=|\bassert\w{0,12}\b|\bexpect\s{0,3}\(|\b(?:grep|rg)\s(?![^\n]{0,2000}[|>])|\btest\s{0,3}\(|\bit\s{0,3}\(|^\s{0,80}(?:echo|printf|print|console\.\w{3,5}|logger\.\w{3,8}|log\w{0,6}|cat\s{1,3}<<)\b(?![^\n]{0,2000}(?:[^\\]\||;\s{0,3}[a-z]|>>?\s{0,3}["']?[~/$.\w]))/i;
/** A call that does something, so a word beside it makes no mention of it. */
const ACTS =
  /\b(?:open|read\w{0,12}|system|popen|Popen|check_output|check_call|exec\w{0,8}|spawn\w{0,6}|eval|fetch|urlopen|request|Function)\s{0,3}\(|\b(?:subprocess|requests|httpx|axios|child_process)\.\w|\|\s{0,5}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b|\|\s{0,5}(?:curl|nc|base64|mail)\b|\$\(|`[^`]{1,200}`\s{0,3}[;|]|\bcurl\b[^\n]{0,400}\s(?:-d|-F|-T|--data\S{0,20}|--upload-file)\b/;

/** An entry of a list of patterns. */
const RAW_TEXT =
  /^\s{0,80}[([{]?\s{0,3}(?:\w{1,40}\s{0,3}[:=]\s{0,3})?(?:r["']|["'][A-Z][a-z]{2,20} [^"'\n]{3,200}["'][\s,)\]]{0,5}$)/;

export function createPlaces(path: string, kind: FileKind, lines: () => readonly string[]): LinePlaces {
  let marked: readonly Marked[] | undefined;
  const of = (line: number): Marked => {
    marked ??= kind === "prose" ? inProse(lines()) : inCode(path, lines());
    return marked[line - 1] ?? { place: kind === "prose" ? "text" : "command", isShell: false };
  };
  return { at: (line) => of(line).place, isShell: (line) => of(line).isShell };
}

interface Marked {
  readonly place: PlaceOfLine;
  readonly isShell: boolean;
}

const TEXT: Marked = { place: "text", isShell: false };
const MENTION: Marked = { place: "mention", isShell: false };

function inProse(lines: readonly string[]): readonly Marked[] {
  let fence: { readonly mark: string; readonly marked: Marked } | undefined;
  return lines.map((line) => {
    const [, mark = "", language = ""] = FENCE.exec(line) ?? [];
    if (mark !== "") {
      if (fence === undefined) {
        fence = { mark: mark.slice(0, 3), marked: blockOf(language) };
      } else if (mark.startsWith(fence.mark) && language === "") fence = undefined;
      return MENTION;
    }
    if (fence !== undefined) return fence.marked.isShell && isMentionInShell(line) ? MENTION : fence.marked;
    return TABLE.test(line) ? MENTION : TEXT;
  });
}

/** A block without a language may be anything: commands, output, a drawing. */
function blockOf(language: string): Marked {
  if (DATA_BLOCK.test(language)) return { place: "data", isShell: false };
  const isShell = SHELL_BLOCK.test(language);
  return { place: isShell && language !== "" ? "command" : "sample", isShell };
}

function isMentionInShell(line: string): boolean {
  return /^\s{0,80}(?:#|\/\/)|\(\?i\)|=~\s/.test(line);
}

function inCode(path: string, lines: readonly string[]): readonly Marked[] {
  const isData = DATA_FILE.test(path);
  const isShell = SHELL_FILE.test(path) || /^#!.{0,80}\b(?:ba|z|da|k)?sh\b/.test(lines[0] ?? "");
  const usual: Marked = { place: "command", isShell };
  let quote: string | undefined;
  if (isData) return inData(lines);
  return lines.map((line) => {
    const wasInside = quote !== undefined;
    if (!isShell) quote = textAfter(line, quote);
    if (wasInside || quote !== undefined || COMMENT.test(line)) return MENTION;
    return RAW_TEXT.test(line) || (LOOKS.test(line) && !ACTS.test(line)) ? MENTION : usual;
  });
}

/** A value that a program runs is a command, and so is the block below `run: |` in the steps of a workflow. */
function inData(lines: readonly string[]): readonly Marked[] {
  let block: number | undefined;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (block !== undefined && indent > block)
      return COMMENT.test(line) ? MENTION : { place: "command", isShell: true };
    if (indent >= 0)
      block = /^\s{0,80}(?:-\s)?(?:run|script|command|before_script)\s{0,3}:\s{0,3}[|>]/.test(line)
        ? indent
        : undefined;
    if (COMMENT.test(line) || (LOOKS.test(line) && !RUN_VALUE.test(line))) return MENTION;
    return { place: RUN_VALUE.test(line) ? "command" : "data", isShell: false };
  });
}

/** The mark of the long text of Python that goes on after a line. A text that is assigned or passed on is a value, not an explanation. */
function textAfter(line: string, open: string | undefined): string | undefined {
  if (open !== undefined) return line.includes(open) ? undefined : open;
  const [, mark] = /^\s{0,80}[rbuf]{0,2}("""|''')/i.exec(line) ?? [];
  if (mark === undefined) return undefined;
  return line.indexOf(mark, line.indexOf(mark) + 3) < 0 ? mark : undefined;
}
