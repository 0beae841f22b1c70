import path from "node:path";
import { movedFolders } from "#agents";
import { type AuditLogTarget, FLAG_SETTINGS, settingFlags } from "#config";
import type {
  AuditSettings,
  Profile,
  ProfileSettings,
  RuleLists,
  SettingsRepos,
  SkillViewOptions,
} from "#skills";
import { knownProfiles, requireProfiles } from "#skills";
import { expandHome, homeFolder, ownFolderIn } from "#util";
import { badUsage, type Flags, type FlagValues, flag } from "./flags.ts";

const { profile, "skill-dir": skillDir, include, exclude, ...OTHER_VIEW_FLAGS } = settingFlags("view");

/** The flags of every command that reads skills: the command line and MCP share one view. */
export const VIEW_FLAGS = {
  profile,
  "skill-dir": skillDir,
  root: flag.text("<dir>", "same as --skill-dir, for one folder"),
  library: flag.text("<dir>", "folder of a skill library (default: $SKILLS_DIR)"),
  "user-dir": flag.text("<dir>", "use instead of the home folder"),
  ...OTHER_VIEW_FLAGS,
  include,
  exclude,
} satisfies Flags;

export const JSON_FLAG = { json: flag.switch("print JSON") } satisfies Flags;

export const YES_FLAG = { yes: flag.switch("do not ask", "y") } satisfies Flags;

/** Commands that ask nothing take `--yes` too, because people and scripts pass it to every command that changes something. */
export const NOTHING_ASKED_FLAG = {
  yes: flag.switch("accepted for scripts; nothing is asked", "y"),
} satisfies Flags;

/** `--format`, which other tools have in place of `--json`. */
export const FORMAT_FLAG = {
  format: flag.choice(["plain", "json"], "json is the same as --json (default plain)", { short: "f" }),
} satisfies Flags;

/** What was chosen on the command line and in the files. */
export type ViewFlags = FlagValues<typeof VIEW_FLAGS> & {
  /** What a project narrows the operator's `include` to. No flag says it. */
  readonly narrowTo?: readonly string[];
  /** The profile that a project chooses, besides the operator's. */
  readonly projectProfile?: string | undefined;
  /** Profiles, which only settings files define. */
  readonly profiles?: Readonly<Record<string, ProfileSettings>>;
  readonly repos?: SettingsRepos;
  readonly audit?: AuditSettings;
  readonly auditLog?: AuditLogTarget;
  /** How skills are listed. No flag says it. */
  readonly visibility?: RuleLists;
};

export function viewOptions(flags: ViewFlags): SkillViewOptions {
  const library = libraryFolder(flags.library);
  refuseContradictions(flags);
  return {
    folders: {
      first: flags.root === undefined ? flags["skill-dir"] : [...flags["skill-dir"], flags.root],
      defaults: !flags["no-default-dirs"],
      dependencies: !flags["no-dependencies"],
      // Another home folder stands for everything that is in it.
      ...(flags["user-dir"] === undefined ? { moved: movedFolders(process.env) } : {}),
    },
    plugins: { skip: flags["no-plugins"], file: flags["plugins-file"], root: flags["plugins-root"] },
    reading: { strict: flags.strict, lenient: flags.lenient },
    filter: { include: flags.include, narrowTo: flags.narrowTo, exclude: flags.exclude },
    ...profilesInForce(flags),
    ...(flags.repos === undefined ? {} : { repos: flags.repos }),
    ...(flags.audit === undefined ? {} : { audit: flags.audit }),
    ...(flags.auditLog === undefined ? {} : { auditLog: flags.auditLog }),
    ...(library === undefined ? {} : { library }),
    ...(flags["user-dir"] === undefined ? {} : { userDir: userFolder(flags["user-dir"]) }),
  };
}

function refuseContradictions(flags: Readonly<Record<string, unknown>>): void {
  for (const [name, { excludes }] of Object.entries(FLAG_SETTINGS)) {
    const other = flags[name] === true ? excludes.find((one) => flags[one] === true) : undefined;
    if (other !== undefined)
      throw badUsage(`--${other}`, `--${name} and --${other} contradict each other: pass one of them.`);
  }
}

/** The profiles that the flags and the project choose. Without any, nothing is read. */
function profilesInForce(flags: ViewFlags): Pick<SkillViewOptions, "profiles"> {
  const names = [...new Set([flags.profile, flags.projectProfile])].filter((name) => name !== undefined);
  return names.length === 0 ? {} : { profiles: requireProfiles(profilesOf(flags), names) };
}

/** All profiles that the settings define. */
export function profilesOf(flags: ViewFlags): readonly Profile[] {
  return knownProfiles(flags.profiles ?? {}, ownFolderIn(homeFor(flags["user-dir"])));
}

/** The folder that `--user-dir` names. `~` in it is the real home folder. */
export function userFolder(flag: string): string {
  return expandHome(flag, homeFolder());
}

/** The home folder, or the one that `--user-dir` names instead. */
export function homeFor(userDir: string | undefined): string {
  return path.resolve(userDir === undefined ? homeFolder() : userFolder(userDir));
}

/** The library named by flag or environment. An empty variable counts as not set: client configs leave one out that way. */
export function libraryFolder(flag: string | undefined): string | undefined {
  return flag ?? (process.env["SKILLS_DIR"]?.trim() || undefined);
}
