import { nameKey, Refusal } from "#util/pure";
import { pluginId, type Skill } from "../skill/skill.ts";
import { fullName } from "./catalog.ts";

/** One `--include` or `--exclude` token, understood. */
export type FilterToken =
  | { readonly kind: "provider"; readonly provider: string; readonly glob: string }
  | { readonly kind: "plugin"; readonly plugin: string; readonly glob: string }
  | { readonly kind: "name"; readonly glob: string };

export interface Filter {
  readonly include: readonly FilterToken[];
  /** A second list of includes, of which one must match as well. */
  readonly narrowTo?: readonly FilterToken[];
  readonly exclude: readonly FilterToken[];
  /** Full names, as keys, that do not pass. */
  readonly without?: ReadonlySet<string>;
  /** Of what comes from repositories, only what comes from these passes. Absent: all of it. */
  readonly repositories?: readonly string[];
  /** Only what this accepts passes: for choices by folder. What is not a `Skill` is of a library. */
  readonly accepts?: (skill: Filtered | Skill) => boolean;
  /** Filters that must be passed as well. */
  readonly and?: readonly Filter[];
}

/** What a filter depends on. */
export type Filtered = Pick<Skill, "name" | "provider" | "plugin"> & {
  readonly repo?: { readonly url: string };
};

/** Whether a skill passes: includes first (none means all), then excludes. */
export function passesFilter(filter: Filter, skill: Filtered): boolean {
  return whyFiltered(filter, skill) === undefined;
}

/** Why a skill does not pass: the exclude that matches, or no token where nothing includes it. Undefined if it passes. */
export function whyFiltered(filter: Filter, skill: Filtered): { readonly token?: FilterToken } | undefined {
  const isIncluded = (tokens: readonly FilterToken[]): boolean =>
    tokens.length === 0 || tokens.some((token) => tokenMatches(token, skill));
  const { include, narrowTo = [], exclude, without, repositories, accepts, and = [] } = filter;
  if (!isIncluded(include) || !isIncluded(narrowTo)) return {};
  const token = exclude.find((one) => tokenMatches(one, skill));
  if (token !== undefined) return { token };
  if (without?.has(nameKey(fullName(skill))) === true) return {};
  if (repositories !== undefined && skill.repo !== undefined && !isOneOf(repositories, skill.repo.url))
    return {};
  if (accepts?.(skill) === false) return {};
  for (const other of and) {
    const why = whyFiltered(other, skill);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Whether a repository is named: by its address, or by the end of it, such as `acme/skills`; `*` and `?` match. */
function isOneOf(named: readonly string[], url: string): boolean {
  const address = plainAddress(url);
  const parts = address.split("/");
  const ends = parts.map((_, index) => parts.slice(index).join("/"));
  return named.some((one) => ends.some((end) => globMatches(plainAddress(one), end)));
}

/** `https://git@github.com/Acme/Skills.git` and `git@github.com:acme/skills` are one address. */
function plainAddress(url: string): string {
  return nameKey(url.trim())
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/^[\w.-]+@/, "")
    .replace(/^([\w.-]{2,}):(?!\d+\/)\/?/, "$1/")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}

/** Reads repeatable comma lists: `["codex,@plugins", "pdf"]` is three tokens. */
export function parseFilterTokens(lists: readonly string[], providers: ReadonlySet<string>): FilterToken[] {
  return lists.flatMap((list) => list.split(",")).map((token) => parseToken(token.trim(), providers));
}

/** Reads includes, where `all` and `auto`, which other tools have for their defaults, are everything. */
export function parseIncludes(lists: readonly string[], providers: ReadonlySet<string>): FilterToken[] {
  return parseFilterTokens(lists, providers).map((token) =>
    token.kind === "name" && EVERYTHING.has(token.glob) ? { kind: "name", glob: "*" } : token,
  );
}

const EVERYTHING: ReadonlySet<string> = new Set(["all", "auto"]);

function parseToken(token: string, providers: ReadonlySet<string>): FilterToken {
  if (token === "") throw badToken(token, "it is empty");
  const key = nameKey(token);
  if (key.startsWith("@")) return parsePluginToken(token, key.slice(1));
  const colon = key.indexOf(":");
  const head = colon < 0 ? key : key.slice(0, colon);
  const glob = colon < 0 ? "*" : key.slice(colon + 1);
  // The name of an npm package may begin with one.
  if (glob.startsWith("@") && head !== "npm") {
    throw badToken(token, `plugins do not belong to a provider; write '${glob}' on its own`);
  }
  if (head === "") throw badToken(token, "there is nothing before the colon");
  if (!providers.has(head)) return { kind: "name", glob: key };
  if (glob === "") throw badToken(token, `there is nothing after '${head}:'`);
  return { kind: "provider", provider: head, glob };
}

function parsePluginToken(token: string, key: string): FilterToken {
  const colon = key.indexOf(":");
  const plugin = colon < 0 ? key : key.slice(0, colon);
  const glob = colon < 0 ? "*" : key.slice(colon + 1);
  if (plugin === "" || glob === "") throw badToken(token, "a plugin or skill name is missing");
  if (plugin.startsWith("@")) throw badToken(token, "use a single @");
  return { kind: "plugin", plugin: plugin === "plugins" ? "*" : plugin, glob };
}

function tokenMatches(token: FilterToken, skill: Filtered): boolean {
  if (token.kind === "provider") return ofProvider(token, skill);
  if (token.kind === "name") return nameMatches(token.glob, skill);
  const { plugin } = skill;
  if (plugin === undefined || plugin.package !== undefined) return false;
  const samePlugin =
    globMatches(token.plugin, nameKey(plugin.name)) || globMatches(token.plugin, nameKey(pluginId(plugin)));
  return samePlugin && globMatches(token.glob, nameKey(skill.name));
}

/** A provider's name may be that of a skill as well, such as `git`: then it means both. */
function ofProvider(
  { provider, glob }: Extract<FilterToken, { kind: "provider" }>,
  skill: Filtered,
): boolean {
  if (skill.provider === provider) return nameMatches(glob, skill);
  return glob === "*" && nameKey(skill.name) === provider;
}

/** By the skill's own name or, for a plugin skill, by the name that listings show. */
function nameMatches(glob: string, skill: Filtered): boolean {
  const name = nameKey(skill.name);
  if (globMatches(glob, name)) return true;
  return skill.plugin !== undefined && globMatches(glob, `${nameKey(skill.plugin.name)}:${name}`);
}

function badToken(token: string, reason: string): Refusal {
  return new Refusal(
    `Invalid filter '${token}': ${reason}. ` +
      "A filter is a provider, <provider>:<name>, @plugins, @<plugin>, @<plugin>:<name>, or a name; * and ? are wildcards.",
    { code: "bad-filter", token },
  );
}

/**
 * Whether `text` matches a pattern of `*` (any run) and `?` (any one character). Scans both once and returns to
 * the last star only, so a hostile pattern costs at most their product and never backtracks further.
 */
export function globMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && pattern[p] === "?") {
      p++;
      t += (text.codePointAt(t) ?? 0) > 0xffff ? 2 : 1;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
