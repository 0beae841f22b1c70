import { PROVIDERS } from "#agents";
import { memoizeWeak, nameKey } from "#util/pure";
import { type Filter, parseFilterTokens, parseIncludes } from "../catalog/filter.ts";
import type { ProfileSettings } from "./profile-settings.ts";
import type { ProfilesInForce } from "./profile-source.ts";

/** A part of what is served, under a name. */
export interface Profile extends ProfileSettings {
  readonly name: string;
  /** The full names of skills that `disable --profile` took out of it. */
  readonly without?: readonly string[];
}

/** What passes is served in the profile. */
export const filterOfProfile = memoizeWeak(
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

/** Names stand in addresses and in token files. */
export function isProfileName(text: string): boolean {
  return text.length <= LONGEST_NAME && /^[A-Za-z0-9][\w.-]*$/.test(text);
}
