import path from "node:path";
import { type ConfigProblem, keyPath, parseConfigText } from "#config";
import { expandHome } from "#util";
import { cutText, suggestNames } from "#util/pure";
import {
  originOfUrl,
  originParts,
  placeParts,
  SOURCE_KINDS,
  type SourceKind,
  TRUST_LEVELS,
  type TrustLevel,
  type TrustPolicy,
  type TrustRule,
} from "./policy.ts";

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: TrustPolicy }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

const SHAPE = "a map of `allow`, `review` and `block`, each with a list of sources";

/**
 * Reads the text of `trust.yaml`. A rule that means nothing is reported and never ignored: its author relies on it.
 */
export function parsePolicy(text: string, file: string, home: string): ParsedPolicy {
  const parsed = parseConfigText(text);
  const at = (line: number | undefined): string => (line === undefined ? file : `${file}:${line}`);
  if (!parsed.ok) {
    const message = beginsWithAsterisk(text, parsed.line) ? QUOTE : parsed.message;
    return { ok: false, problems: [{ place: at(parsed.line), message }] };
  }
  const { data = {}, lineOf } = parsed;
  const problems: ConfigProblem[] = [];
  const rules: TrustRule[] = [];
  const report = (line: number | undefined, message: string): void =>
    void problems.push({ place: at(line), message });
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    report(undefined, `The file must be ${SHAPE}.`);
    return { ok: false, problems };
  }
  for (const [key, value] of Object.entries(data as Record<string, unknown>)) {
    const line = lineOf(keyPath([key]));
    const level = TRUST_LEVELS.find((one) => one === key);
    if (level === undefined) {
      report(line, unknownLevel(key));
    } else if (value !== null && !Array.isArray(value)) {
      report(line, `${key} must be a list of sources, such as [github.com/acme].`);
    } else {
      for (const [index, item] of ((value ?? []) as readonly unknown[]).entries()) {
        const itemLine = lineOf(keyPath([key, index])) ?? line;
        const rule = ruleOf(level, item, home, itemLine);
        if (typeof rule === "string") report(itemLine, rule);
        else rules.push(rule);
      }
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy: { file, rules } };
}

/** YAML reads it as an alias. */
function beginsWithAsterisk(text: string, line: number | undefined): boolean {
  return /^[^#]*[-,[]\s*\*/.test(text.split(/\r?\n/)[(line ?? 0) - 1] ?? "");
}

const QUOTE = 'A source that begins with an asterisk needs quotes: "*".';

function unknownLevel(key: string): string {
  const [meant] = suggestNames(key, [...TRUST_LEVELS], 1);
  const way = meant === undefined ? `The file is ${SHAPE}.` : `Did you mean ${meant}?`;
  return `${JSON.stringify(cutText(key, LONGEST_SHOWN))} is neither allow, review nor block. ${way}`;
}

const LONGEST_SHOWN = 80;

const EXAMPLES =
  "a host (github.com), an organisation (github.com/acme), a repository (github.com/acme/skills), a folder (~/vendor), " +
  "npm:<package>, plugin:<plugin>@<marketplace>, project, user, plugins, repos, npm or *";

/** A rule, or what is wrong with it. */
function ruleOf(
  level: TrustLevel,
  item: unknown,
  home: string,
  line: number | undefined,
): TrustRule | string {
  if (typeof item !== "string" || item.trim() === "") {
    return `Each source must be a text; write ${EXAMPLES}.${item === null ? ' Quote "*".' : ""}`;
  }
  const text = item.trim();
  const pattern = patternOf(text, home);
  if (typeof pattern !== "string") return { level, pattern, text, line };
  return `${JSON.stringify(cutText(text, LONGEST_SHOWN))} ${pattern}`;
}

/** What a text means, or the end of a sentence about why it means nothing. */
function patternOf(text: string, home: string): TrustRule["pattern"] | string {
  if (text === "*") return { on: "everything" };
  if ((SOURCE_KINDS as readonly string[]).includes(text)) return { on: "kind", kind: text as SourceKind };
  if (text === "~" || /^~[/\\]/.test(text) || path.isAbsolute(text)) {
    return { on: "place", parts: placeParts(path.resolve(expandHome(text, home))) };
  }
  if (/^\.{1,2}(?:[/\\]|$)/.test(text))
    return "is a relative folder; write an absolute one, or one that begins with ~/.";
  if (/[\s\p{Cc}]/u.test(text)) return `contains a space; write ${EXAMPLES}.`;
  if (/^(?:npm|plugin):./.test(text)) return { on: "origin", parts: originParts(text) };
  const source = originOfUrl(text);
  if ("place" in source) return { on: "place", parts: placeParts(source.place) };
  const parts = originParts(source.origin);
  const [host = ""] = parts;
  if (!/^[a-z0-9*.-]+(?::\d+)?$|^\[[0-9a-f:.]+\](?::\d+)?$/.test(host))
    return `is not a source; write ${EXAMPLES}.`;
  if (parts.length === 1 && host.replaceAll("*", "") === "") return `is not a source; write ${EXAMPLES}.`;
  if (!/[.*:]/.test(host) && host !== "localhost") {
    const [meant] = suggestNames(host, [...SOURCE_KINDS], 1);
    if (parts.length === 1 && meant !== undefined) return `is not a source. Did you mean ${meant}?`;
    return `names no host; write github.com/${parts.join("/")}.`;
  }
  return { on: "origin", parts };
}
