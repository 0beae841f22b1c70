import { Refusal, suggestNames } from "#util/pure";
import { disabledFile, readDisabledSets } from "../toggle/disabled-sets.ts";
import type { Profile } from "./profile.ts";
import type { ProfileSettings } from "./profile-settings.ts";

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
