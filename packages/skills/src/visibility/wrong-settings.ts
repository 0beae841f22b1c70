/**
 * What a setting can withhold. While such a setting is wrong, a server that runs all the same serves nothing of it: it does not
 * know what it may serve. `skills` means everything, `profiles` what a profile leaves out, `library` the library's skills and
 * tools, `scripts` their scripts, and `usage` what is recorded and sent.
 */
type Withheld = "skills" | "profiles" | "library" | "scripts" | "usage";

/** Something that is wrong in the settings. `place` is a file, with its line where known, or a variable. */
export interface SettingsProblem {
  readonly place: string;
  /** A whole sentence: the key where there is one, the reason, and the way out. */
  readonly message: string;
  /** What is not served until it is repaired; nothing when absent. */
  readonly withholds?: readonly Withheld[];
}

/** The problems because of which something is not served. */
export function whyWithheld(
  what: Withheld,
  problems: readonly SettingsProblem[] = [],
): readonly SettingsProblem[] {
  return problems.filter(({ withholds = [] }) => withholds.includes(what) || withholds.includes("skills"));
}
