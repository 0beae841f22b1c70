import { posix } from "node:path";
/** What may happen to the skills of a source. */
export type TrustLevel = (typeof TRUST_LEVELS)[number];
/** From the most open to the strictest. */
export const TRUST_LEVELS = ["allow", "review", "block"] as const;

/** Where skills are that no other rule is about. */
export type SourceKind = (typeof SOURCE_KINDS)[number];
export const SOURCE_KINDS = ["project", "user", "plugins", "repos", "npm"] as const;

/** What a rule is about. Patterns match the beginning of a source, part by part. */
type Pattern =
  /** `github.com/acme`, `npm:@acme`, `plugin:tools@acme`. */
  | { readonly on: "origin"; readonly parts: readonly string[] }
  /** A folder. */
  | { readonly on: "place"; readonly parts: readonly string[] }
  | { readonly on: "kind"; readonly kind: SourceKind }
  | { readonly on: "everything" };

export interface TrustRule {
  readonly level: TrustLevel;
  readonly pattern: Pattern;
  /** As it is written, and where. */
  readonly text: string;
  readonly line: number | undefined;
}

/** What `trust.yaml` says. */
export interface TrustPolicy {
  readonly file: string;
  readonly rules: readonly TrustRule[];
}

/** Everything that a rule can be about, of one skill. */
export interface RuledSource {
  /** Where it came from, as far as this machine knows it: `github.com/acme/skills/pdf`, `plugin:tools@acme`. */
  readonly origins: readonly string[];
  /** Where a file of the project says that it came from. Such a claim can make it stricter, and never more open. */
  readonly claims: readonly string[];
  /** The folders that lead to it, absolute: as it is named and after links. */
  readonly places: readonly string[];
  readonly kind: SourceKind;
}

export interface TrustVerdict {
  readonly level: TrustLevel;
  /** The rule that decided; undefined where none did. */
  readonly rule: TrustRule | undefined;
  /** What the audit found, if that decided. */
  readonly found?: string;
}

const ALLOWED: TrustVerdict = { level: "allow", rule: undefined };

/**
 * Decides about a skill. Rules about where it came from go before rules about where it lies, then come the kinds, then `*`.
 * Among rules of one sort the longest pattern wins, and of two equal ones the stricter.
 */
export function judge({ rules }: TrustPolicy, source: RuledSource): TrustVerdict {
  const ofOrigin = strictest(source.origins.map((origin) => best(rules, "origin", origin)));
  const ofPlace = strictest(source.places.map((place) => best(rules, "place", place)));
  const general = rules.filter(({ pattern }) => pattern.on === "kind" && pattern.kind === source.kind);
  const everything = rules.filter(({ pattern }) => pattern.on === "everything");
  const decided = ofOrigin ?? ofPlace ?? strictest(general) ?? strictest(everything);
  const claimed = strictest(source.claims.map((claim) => best(rules, "origin", claim)));
  const rule = claimed !== undefined && rank(claimed) > rank(decided) ? claimed : decided;
  return rule === undefined ? ALLOWED : { level: rule.level, rule };
}

function rank(rule: TrustRule | undefined): number {
  return rule === undefined ? 0 : TRUST_LEVELS.indexOf(rule.level);
}

function strictest(rules: readonly (TrustRule | undefined)[]): TrustRule | undefined {
  let found: TrustRule | undefined;
  for (const rule of rules)
    if (rule !== undefined && (found === undefined || rank(rule) > rank(found))) found = rule;
  return found;
}

/** The rule with the longest pattern that a source begins with. */
function best(rules: readonly TrustRule[], on: "origin" | "place", source: string): TrustRule | undefined {
  const parts = on === "origin" ? originParts(source) : placeParts(source);
  let found: { readonly rule: TrustRule; readonly weight: number } | undefined;
  for (const rule of rules) {
    const { pattern } = rule;
    if (pattern.on !== on || !beginsWith(parts, pattern.parts)) continue;
    const literal = pattern.parts.filter((part) => !part.includes("*")).length;
    const weight = pattern.parts.length * 1_000 + literal * 10 + rank(rule);
    if (found === undefined || weight > found.weight) found = { rule, weight };
  }
  return found?.rule;
}

function beginsWith(parts: readonly string[], pattern: readonly string[]): boolean {
  return pattern.length <= parts.length && pattern.every((part, index) => fits(parts[index] ?? "", part));
}

/** `*` stands for any characters of one part. Linear: each piece is searched for after the one before. */
export function fits(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return text === pattern;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}

/** Hosts, organisations and repositories are the same in upper and lower case. */
export function originParts(origin: string): readonly string[] {
  return origin
    .toLowerCase()
    .replace(/^(npm|plugin):/, "$1:/")
    .split("/")
    .filter((part) => part !== "");
}

export function placeParts(place: string): readonly string[] {
  return place.split(/[\\/]/).filter((part) => part !== "");
}

/**
 * The address of a repository as rules write it: `https://github.com/Acme/skills.git` and `git@github.com:acme/skills` are both
 * `github.com/acme/skills`. A repository in a folder of this machine is that folder.
 */
export function originOfUrl(url: string): { readonly origin: string } | { readonly place: string } {
  const local = /^file:\/\/(\/.*)$/i.exec(url)?.[1];
  if (local !== undefined) return { place: posix.normalize(decoded(local)) };
  const [, scheme = "", host, path = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?([^/]+)(.*)$/i.exec(url) ??
    /^()(?:[^/@]*@)?(\[[^\]]*\]|[^/:]+):(.*)$/.exec(url) ??
    [];
  if (host === undefined) return { origin: url };
  return { origin: plainHost(host, scheme) + plainPath(path) };
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  https: ":443",
  http: ":80",
  ssh: ":22",
  git: ":9418",
};

/** Without what makes no difference to git: the port that it would use anyway, and the dot of a whole domain name. */
function plainHost(host: string, scheme: string): string {
  const port = DEFAULT_PORTS[scheme.toLowerCase()];
  const name = port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host;
  return name.replace(/\.(?=$|:\d+$)/, "");
}

/** As the server sees it: git resolves `acme/../other` and `%65` before it asks. */
function plainPath(path: string): string {
  return posix
    .normalize(`/${decoded(path)}`)
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
