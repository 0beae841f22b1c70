import { resolveName } from "../catalog/resolve-name.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Skill } from "../skill/skill.ts";
import { type DisabledFor, disabledFile, disabledFor, readDisabledSets } from "./disabled-sets.ts";
import { type NameOrigin, type ToggleResult, type ToggleState, toggleAndRefresh } from "./toggle-skill.ts";

interface ToggleDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  /** Whether whoever asks may be told of profiles. */
  readonly showsProfiles: boolean;
}

export type Toggles = ReturnType<typeof createToggles>;

/** The ways to enable and disable skills: for everyone, by renaming their files, and for one agent or profile. */
export function createToggles({ snapshot, refresh, ownFolder, showsProfiles }: ToggleDeps) {
  const file = disabledFile(ownFolder);
  return {
    async toggle(name: string, to: ToggleState, origin?: NameOrigin): Promise<ToggleResult> {
      const [result] = await toggleAndRefresh({ snapshot, refresh }, [name], to, origin);
      return result as ToggleResult;
    },
    /** Toggles all of them or, when one name is unknown, none. */
    toggleAll: (names: readonly string[], to: ToggleState, origin?: NameOrigin) =>
      toggleAndRefresh({ snapshot, refresh }, names, to, origin),
    /** Toggles all of them or none for one agent or profile, without touching their files. */
    async toggleFor(names: readonly string[], whom: DisabledFor, to: ToggleState) {
      const { catalog } = await snapshot();
      const entries = names.map((name) => resolveName(catalog, name));
      const skills = entries.map(({ skill }) => skill);
      const { changeDisabledSet } = await import("./change-disabled-sets.ts");
      const changed = await changeDisabledSet(file, whom, skills, to);
      return entries.map(({ listedAs }, index) => ({ name: listedAs, changed: changed[index] === true }));
    },
    /** The full names of the skills that are disabled for each agent and each profile. */
    disabledSets: () => readDisabledSets(file).sets,
    /** Tells for whom a skill is disabled, though its file is enabled. */
    disabledFor(): (skill: Skill) => readonly DisabledFor[] {
      const { sets } = readDisabledSets(file);
      return (skill) => disabledFor(sets, skill).filter(({ kind }) => showsProfiles || kind === "agent");
    },
  };
}
