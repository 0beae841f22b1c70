import { normalize } from "node:path/posix";

/** A link in the text of a skill to a file that should come with it. */
export interface FileLink {
  /** As it is written. */
  readonly target: string;
  /** Below the skill's folder; undefined when it leads out of it. */
  readonly path: string | undefined;
  /** 1-based, in the text. */
  readonly line: number;
}

/** From the end of the label on, and everything bounded: a hostile text must cost no more than a long one. */
const INLINE =
  /\]\([ \t]{0,9}(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))(?:[ \t]{1,9}["'(][^\n]{0,300}?["')])?[ \t]{0,9}\)/g;
const REFERENCE = /^ {0,3}\[[^[\]\n]{1,300}\]:[ \t]{0,9}(?:<([^<>\n]{1,1000})>|(\S{1,1000}))/;
/** A scheme, an anchor, an absolute path, or something that a person or a template fills in. */
const NOT_A_FILE = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|#|\/|\\|~|\?)|[{}$*<>|]|\.\.\./;

/** The links of a Markdown text to files, without those in code. */
export function findFileLinks(text: string): readonly FileLink[] {
  const links: FileLink[] = [];
  if (!mayHaveLink(text)) return links;
  for (const [index, line] of linesOutsideCode(text)) {
    if (!mayHaveLink(line)) continue;
    const reference = REFERENCE.exec(line);
    const targets = [
      ...(reference === null ? [] : [reference[1] ?? reference[2] ?? ""]),
      ...[...line.matchAll(INLINE)].map((match) => match[1] ?? match[2] ?? ""),
    ];
    for (const target of targets) {
      const path = pathOf(target);
      if (path !== "") links.push({ target, path: leadsOut(path) ? undefined : path, line: index + 1 });
    }
  }
  return links;
}

function mayHaveLink(text: string): boolean {
  return text.includes("](") || text.includes("]:");
}

function leadsOut(path: string): boolean {
  return path === ".." || path.startsWith("../");
}

/** "" for what is no path of a file. */
function pathOf(target: string): string {
  if (NOT_A_FILE.test(target)) return "";
  const bare = target.replace(/[?#].*$/s, "");
  try {
    return normalize(decodeURIComponent(bare)).replace(/\/$/, "");
  } catch {
    return normalize(bare);
  }
}

/** Each line that is not in a fenced block, with the code in it blanked. */
function* linesOutsideCode(text: string): Generator<readonly [number, string]> {
  let fence: string | undefined;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined && mark !== "") fence = mark;
    else if (fence !== undefined) {
      if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    } else yield [index, line.replace(/(`{1,4})[^`]*\1/g, "")];
  }
}
