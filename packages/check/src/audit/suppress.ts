import type { AuditedSkill } from "./audited-skill.ts";
import type { AuditFinding, Suppression } from "./finding.ts";

/** `audit-ignore: <rule>, <rule> -- reason` in a comment of any language. */
const COMMENT =
  /(?:#|\/\/|\/\*|<!--|--|;|%)\s{0,9}audit-ignore:\s{0,9}([a-z][a-z, *-]{0,300}?)(?:\s{1,9}--\s{1,9}([^\n]{1,300})|\s{0,9}(?:-->|\*\/)?\s{0,9}$)/i;
const ASKS_FOR_REASON =
  "A comment asks to ignore this and gives no reason, so it counts; write `audit-ignore: <rule> -- <reason>`.";
const FENCE = /^\s{0,9}(?:```|~~~)/;

interface Ignored {
  readonly rules: readonly string[];
  readonly reason: string;
  /** The lines that it covers, 1-based. */
  readonly first: number;
  readonly last: number;
}

type Marks = Partial<Pick<AuditFinding, "suppressed" | "message">>;

/**
 * What comments in a skill say is fine. A finding under a comment without a reason counts, and says how to give one. A comment covers its own line and what follows up to
 * the next blank line, a fenced block as a whole; in the skill's own file also what is about the whole skill.
 */
export function createSuppressions(skill: AuditedSkill): (finding: AuditFinding) => Marks {
  const byFile = new Map<string, readonly Ignored[]>();
  for (const { path, content } of skill.files) {
    if (content.kind === "text" && content.text.includes("audit-ignore:"))
      byFile.set(path, ignoredIn(content.text));
  }
  if (byFile.size === 0) return () => ({});
  return ({ rule, file, line, message }) => {
    const found =
      line === undefined
        ? byFile.get(skill.skillFile)?.find(({ rules }) => rules.includes(rule))
        : byFile
            .get(file)
            ?.find(({ rules, first, last }) => rules.includes(rule) && line >= first && line <= last);
    if (found === undefined) return {};
    if (found.reason === "") return { message: `${message} ${ASKS_FOR_REASON}` };
    return { suppressed: { by: "comment", reason: found.reason } };
  };
}

function ignoredIn(text: string): readonly Ignored[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.flatMap((line, at) => {
    const [, rules = "", reason = ""] = COMMENT.exec(line) ?? [];
    if (rules === "") return [];
    const said = reason.replace(/\s{0,9}(?:-->|\*\/)\s{0,9}$/, "").trim();
    return [
      {
        rules: rules.split(",").map((each) => each.trim()),
        reason: said,
        first: at + 1,
        last: lastLine(lines, at) + 1,
      },
    ];
  });
}

/** The last line before a blank one; a fenced block that begins before it belongs to it. */
function lastLine(lines: readonly string[], at: number): number {
  let last = at;
  while (last + 1 < lines.length && lines[last + 1]?.trim() !== "") {
    last++;
    if (!FENCE.test(lines[last] ?? "")) continue;
    while (last + 1 < lines.length && !FENCE.test(lines[last + 1] ?? "")) last++;
    if (last + 1 < lines.length) last++;
  }
  return last;
}

/** `<rule>` or `<skill>:<rule>`, both with `*` for anything. */
export function suppressionBySettings(
  entries: readonly string[],
  skill: string,
  rule: string,
): Suppression | undefined {
  const entry = entries.find((each) => {
    const at = each.lastIndexOf(":");
    const [forSkill, forRule] = at < 0 ? ["*", each] : [each.slice(0, at), each.slice(at + 1)];
    return matches(forRule.trim(), rule) && matches(forSkill.trim(), skill);
  });
  return entry === undefined ? undefined : { by: "settings", reason: `audit.ignore: ${entry}` };
}

/** Compares piece by piece, which is linear. */
function matches(pattern: string, text: string): boolean {
  const pieces = pattern.split("*");
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
