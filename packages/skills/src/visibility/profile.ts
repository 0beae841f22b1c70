import { PROVIDERS } from "#agents";
import { memoizeWeak, nameKey, Refusal, suggestNames } from "#util/pure";
import { fullName } from "../catalog/catalog.ts";
import { type Filter, parseFilterTokens, parseIncludes } from "../catalog/filter.ts";
import { type Snapshot } from "../registry/registry.ts";
import { type DisabledByClient, disabledFile, readDisabledSets } from "./disabled-for-client.ts";
import type { ProfilesInForce } from "./profile-source.ts";

/** A part of what is served, under a name. */
export interface Profile extends ProfileSettings {
  readonly name: string;
  /** The full names of skills that `disable --profile` took out of it. */
  readonly without?: readonly string[];
}

/** What passes is served in the profile. */
const filterOfProfile = memoizeWeak(
  ({ include = [], exclude = [], repositories, without = [] }: Profile): Filter => ({
    include: parseIncludes(include, PROVIDERS),
    exclude: parseFilterTokens(exclude, PROVIDERS),
    without: new Set(without.map(nameKey)),
    ...(repositories === undefined ? {} : { repositories }),
  }),
);

/** Of several profiles: only what each of them serves. */
export function filterOfAll(profiles: readonly Profile[]): Filter {
  const [only, another] = profiles;
  if (only !== undefined && another === undefined) return filterOfProfile(only);
  return { include: [], exclude: [], and: profiles.map(filterOfProfile) };
}

/** Whether scripts may run for whoever is served these. */
export function allowsScripts(profiles: readonly Profile[]): boolean {
  return profiles.every(({ scripts = true }) => scripts);
}

/** The smallest of what they say; undefined when none says anything. */
export function smallestBudget(
  profiles: readonly Profile[],
  key: "description_budget" | "instructions_budget",
): number | undefined {
  const given = profiles.flatMap((profile) => profile[key] ?? []);
  return given.length === 0 ? undefined : Math.min(...given);
}

/** Profiles that stay the same for as long as the process runs. */
export function fixedProfiles(profiles: readonly Profile[]): ProfilesInForce {
  const filter = filterOfAll(profiles);
  return {
    names: () => profiles.map(({ name }) => name),
    filter: () => filter,
    allowsScripts: () => allowsScripts(profiles),
    onSwap: () => () => {},
  };
}

const LONGEST_NAME = 64;

/** Names stand in addresses and in token files. At `/mcp/server-card` is something else. */
export function isProfileName(text: string): boolean {
  return text.length <= LONGEST_NAME && /^(?!server-card$)[A-Za-z0-9][\w.-]*$/.test(text);
}

/** What whoever is served a profile sees and may do. A key can only restrict that; one that is absent restricts nothing. */
export interface ProfileSettings {
  /** Filters, as of `--include` and `--exclude`. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Of what comes from repositories, only what comes from these. */
  readonly repositories?: readonly string[] | undefined;
  /** Of the server's tools, only these: sets or names. */
  readonly tools?: readonly string[] | undefined;
  readonly description_budget?: number | undefined;
  readonly instructions_budget?: number | undefined;
  /** False: no script is run. */
  readonly scripts?: boolean | undefined;
}

/**
 * Every profile: those of the settings, each without the skills that `disable --profile` took out of it, and those that only
 * that command made. Refuses when the list of disabled skills cannot be read, as a profile could then serve too much.
 */
export function knownProfiles(
  settings: Readonly<Record<string, ProfileSettings>>,
  ownFolder: string,
): readonly Profile[] {
  const { sets, problem } = readDisabledSets(disabledFile(ownFolder));
  if (problem !== undefined) throw new Refusal(problem, { code: "bad-usage", flag: "--profile" });
  const names = new Set([...Object.keys(settings), ...Object.keys(sets.profiles)]);
  return [...names].sort().map((name): Profile => {
    const own = Object.hasOwn(settings, name) ? settings[name] : {};
    const without = Object.hasOwn(sets.profiles, name) ? (sets.profiles[name] ?? []) : [];
    return { name, ...own, ...(without.length === 0 ? {} : { without }) };
  });
}

/** The profiles of these names. Refuses a misspelled name, which would otherwise serve everything. */
export function requireProfiles(known: readonly Profile[], names: readonly string[]): readonly Profile[] {
  return names.map((name) => {
    const found = known.find((profile) => profile.name === name);
    if (found !== undefined) return found;
    const all = known.map((profile) => profile.name);
    throw new Refusal(unknownProfile(name, all), { code: "bad-usage", flag: "--profile" });
  });
}

export function unknownProfile(name: string, known: readonly string[]): string {
  const [meant] = suggestNames(name, known, 1);
  const likely = meant === undefined ? "" : ` Did you mean '${meant}'?`;
  const all =
    known.length === 0
      ? "No profiles are defined; define them"
      : `The profiles are ${known.join(", ")}. They are defined`;
  return `There is no profile '${name}'.${likely} ${all} under 'profiles' in ~/.skills-mcp/config.yaml.`;
}

/** Disables for every client also what a profile does not serve: how the profile looks to whoever may know of the rest. */
export function alsoOutsideOf(
  [profile]: readonly Profile[],
  { catalog, inProfile }: Snapshot,
  disabledByClient: DisabledByClient | undefined,
): DisabledByClient | undefined {
  if (profile === undefined) return disabledByClient;
  const served = new Set(inProfile(filterOfProfile(profile)).catalog.entries.map(({ skill }) => skill));
  const others = catalog.entries.filter(({ skill }) => !served.has(skill));
  const names = new Set(others.map(({ skill }) => nameKey(fullName(skill))));
  const set = { names, whom: { kind: "profile", name: profile.name } } as const;
  return (client) => {
    const own = disabledByClient?.(client);
    const key = JSON.stringify([own?.key ?? "", profile.name, ...names]);
    return { key, sets: [...(own?.sets ?? []), set] };
  };
}
