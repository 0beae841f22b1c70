import { compareSeverity, type Severity } from "#skills";
import type { FileView } from "./evidence/file-view.ts";
import { weigh } from "./evidence/weigh.ts";
import type { Case, NearCase, TextRule } from "./rule.ts";
import { createWordFinder } from "./text/find-words.ts";
import { linesOf, sentencesOf, type TextUnit } from "./text/units.ts";

/** A place where a rule's patterns match. */
interface Match {
  readonly rule: TextRule;
  readonly severity: Severity;
  readonly line: number;
  readonly text: string;
}

interface MatchedText {
  readonly matches: readonly Match[];
  /** From this line on, nothing was compared; undefined if all was. */
  readonly cutAt: number | undefined;
}

/** More of one kind in one file say nothing new. */
const MOST_MATCHES = 10;
/** Lines of a near case that are compared; a file with more of them is made to be slow. */
const MOST_ANCHORS = 200;
/** Lines that are compared with a rule, counted once for each rule. A text with more of them is made to be slow. */
const MOST_COMPARED = 12_000;

/** Finds what rules describe. One search for all words of all rules tells which lines are worth a second look. */
export function createMatcher(
  rules: readonly TextRule[],
  /** Words that somebody else looks for in the same texts. */
  others: readonly string[],
): (file: FileView, onOther: (word: string, line: number) => void) => MatchedText {
  const rulesOf = new Map<string, TextRule[]>();
  for (const rule of rules)
    for (const word of rule.words) rulesOf.set(word, [...(rulesOf.get(word) ?? []), rule]);
  const isOther = new Set(others);
  const findWords = createWordFinder([...new Set([...rulesOf.keys(), ...others])]);

  return (file, onOther) => {
    const candidates = new Map<TextRule, Set<number>>();
    let left = MOST_COMPARED;
    let cutAt: number | undefined;
    findWords(file.text.toLowerCase(), (word, line) => {
      if (cutAt !== undefined) return;
      if (left <= 0) {
        cutAt = line;
        return;
      }
      for (const rule of rulesOf.get(word) ?? []) {
        const lines = candidates.get(rule) ?? new Set<number>();
        if (!lines.has(line)) left--;
        candidates.set(rule, lines.add(line));
      }
      if (isOther.has(word)) onOther(word, line);
    });
    const units = createUnits(file, candidates);
    return {
      matches: [...candidates].flatMap(([rule, where]) => matchRule(rule, where, units, file)),
      cutAt,
    };
  };
}

type Units = ReturnType<typeof createUnits>;

/** The units of a text, made when they are first needed. */
function createUnits(file: FileView, candidates: ReadonlyMap<TextRule, ReadonlySet<number>>) {
  let plain: readonly TextUnit[] | undefined;
  let sentences: readonly TextUnit[] | undefined;
  const of = (unit: Case["unit"]): readonly TextUnit[] => {
    if (unit === "sentence")
      return (sentences ??= sentencesOf(file.lines(), file.kind, linesForSentences(candidates)));
    return (plain ??= linesOf(file.lines()));
  };
  return {
    lines: () => of("line"),
    /** Those that touch one of the lines, which ascend. */
    at: (unit: Case["unit"], where: ReadonlySet<number>): readonly TextUnit[] => unitsAt(of(unit), where),
  };
}

/** Units and lines ascend, so a search by halves finds the first unit of a line. */
function unitsAt(units: readonly TextUnit[], where: ReadonlySet<number>): readonly TextUnit[] {
  const found: TextUnit[] = [];
  let from = 0;
  for (const line of where) {
    let end = units.length;
    while (from < end) {
      const middle = (from + end) >> 1;
      if ((units[middle] as TextUnit).lastLine < line) from = middle + 1;
      else end = middle;
    }
    for (; from < units.length && (units[from] as TextUnit).line <= line; from++)
      found.push(units[from] as TextUnit);
  }
  return found;
}

/** The lines that some rule about sentences may match. */
function linesForSentences(candidates: ReadonlyMap<TextRule, ReadonlySet<number>>): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const [{ cases }, where] of candidates)
    if (cases.some(({ unit }) => unit === "sentence")) for (const line of where) lines.add(line);
  return lines;
}

function matchRule(
  rule: TextRule,
  where: ReadonlySet<number>,
  units: Units,
  file: FileView,
): readonly Match[] {
  const found = new Map<number, Match>();
  for (const each of rule.cases) {
    if (each.in !== undefined && each.in !== file.kind) continue;
    const candidates = units.at(each.unit === "near" ? "line" : each.unit, where);
    const places =
      each.unit === "near"
        ? nearPlaces(each, candidates, units.lines())
        : candidates
            .filter((unit) => isIn(each, unit, file) && holds(each, unit.text))
            .slice(0, MOST_MATCHES)
            .map((unit) => ({ ...unit, line: firstLineIn(unit, where) }));
    for (const unit of places) keepWorst(found, rate(rule, each, unit, file));
  }
  return [...found.values()].sort((a, b) => a.line - b.line).slice(0, MOST_MATCHES);
}

/** The first line of a unit that has a word of the rule: a sentence may be a whole paragraph, which begins far above. */
function firstLineIn({ line, lastLine }: TextUnit, where: ReadonlySet<number>): number {
  for (const at of where) if (at >= line && at <= lastLine) return at;
  return line;
}

function isIn({ shell }: Case, { line }: TextUnit, { places }: FileView): boolean {
  return shell !== true || places.isShell(line);
}

function holds({ all, none = [] }: Pick<Case, "all" | "none">, text: string): boolean {
  return all.every((pattern) => pattern.test(text)) && !none.some((pattern) => pattern.test(text));
}

/** The lines of the second pattern that have one of the first close to them; both are rated as one text. */
function nearPlaces(
  { all: [context, anchor], none = [], within }: NearCase,
  candidates: readonly TextUnit[],
  lines: readonly TextUnit[],
): readonly TextUnit[] {
  const anchors = candidates
    .filter(({ text }) => holds({ all: [anchor], none }, text))
    .slice(0, MOST_ANCHORS);
  const found: TextUnit[] = [];
  const known = new Map<TextUnit, boolean>();
  const isContext = (unit: TextUnit): boolean => {
    const result = known.get(unit) ?? holds({ all: [context], none }, unit.text);
    known.set(unit, result);
    return result;
  };
  let from = 0;
  for (const unit of anchors) {
    while (from < lines.length && (lines[from]?.line ?? 0) < unit.line - within) from++;
    for (let at = from; at < lines.length; at++) {
      const other = lines[at] as TextUnit;
      if (other.line > unit.line + within) break;
      if (!isContext(other)) continue;
      found.push(other === unit ? unit : { ...unit, text: `${unit.text}\n${other.text}` });
      break;
    }
    if (found.length >= MOST_MATCHES) break;
  }
  return found;
}

function rate(
  rule: TextRule,
  { severity = rule.severity }: Case | NearCase,
  unit: TextUnit,
  file: FileView,
): Match {
  const { text, line } = unit;
  const graded = rule.grades?.find(({ when }) => when.test(text))?.severity;
  const usual = rule.mild?.test(text) === true ? "low" : severity;
  const worst = graded !== undefined && compareSeverity(graded, usual) > 0 ? graded : usual;
  return { rule, severity: weigh(rule, worst, unit, file), line, text };
}

function keepWorst(found: Map<number, Match>, match: Match): void {
  const known = found.get(match.line);
  if (known === undefined || compareSeverity(match.severity, known.severity) > 0)
    found.set(match.line, match);
}
