import path from "node:path";
import type { AuditLogTarget } from "#config";
import type { AuditSettings, Profile, ProfileSettings, SettingsRepos, SkillViewOptions } from "#skills";
import { knownProfiles, movedFolders, requireProfiles } from "#skills";
import { expandHome, homeFolder, ownFolderIn } from "#util";
import { badUsage, type Flags, type FlagValues, flag } from "./flags.ts";

/** The flags of every command that reads skills: the command line and MCP share one view. */
export const VIEW_FLAGS = {
  profile: flag.text("<name>", "show and serve only the skills of this profile"),
  "skill-dir": flag.list("<dir>", "folder with skills, ahead of all others (repeatable)"),
  root: flag.text("<dir>", "same as --skill-dir, for one folder"),
  library: flag.text("<dir>", "folder of a skill library (default: $SKILLS_DIR)"),
  "user-dir": flag.text("<dir>", "use instead of the home folder"),
  "no-default-dirs": flag.switch("do not search the agents' own folders, such as .claude/skills"),
  "no-plugins": flag.switch("do not search installed plugins"),
  "plugins-file": flag.text("<file>", "use instead of ~/.claude/plugins/installed_plugins.json"),
  "plugins-root": flag.text("<dir>", "base of relative plugin paths (default ~/.claude/plugins)"),
  strict: flag.switch("skip skills whose front matter is not valid YAML or that hide characters"),
  lenient: flag.switch("serve skills without a name or description: folder name, first sentence"),
  include: flag.list("<tokens>", "only these: provider, @plugin or name; * and ? match (comma-separated)"),
  exclude: flag.list("<tokens>", "all but these; applied after --include"),
} satisfies Flags;

export const JSON_FLAG = { json: flag.switch("print JSON") } satisfies Flags;

/** As other tools write it. */
export const FORMAT_FLAG = {
  format: flag.choice(["plain", "json"], "json is the same as --json (short: -f; default plain)", "f"),
} satisfies Flags;

/** What was chosen on the command line and in the files. */
export type ViewFlags = FlagValues<typeof VIEW_FLAGS> & {
  /** What a project narrows the operator's `include` to. No flag says it. */
  readonly narrowTo?: readonly string[];
  /** The profile that a project chooses, besides the operator's. */
  readonly projectProfile?: string | undefined;
  /** Only files name them. */
  readonly profiles?: Readonly<Record<string, ProfileSettings>>;
  readonly repos?: SettingsRepos;
  readonly audit?: AuditSettings;
  readonly auditLog?: AuditLogTarget;
};

export function viewOptions(flags: ViewFlags): SkillViewOptions {
  const library = libraryFolder(flags.library);
  if (flags.strict && flags.lenient) {
    throw badUsage("--lenient", "--strict and --lenient contradict each other: pass one of them.");
  }
  return {
    skillDirs: flags.root === undefined ? flags["skill-dir"] : [...flags["skill-dir"], flags.root],
    scanDefaultDirs: !flags["no-default-dirs"],
    skipPlugins: flags["no-plugins"],
    strict: flags.strict,
    lenient: flags.lenient,
    include: flags.include,
    exclude: flags.exclude,
    ...(flags.narrowTo === undefined ? {} : { narrowTo: flags.narrowTo }),
    ...profilesInForce(flags),
    ...(flags.repos === undefined ? {} : { repos: flags.repos }),
    ...(flags.audit === undefined ? {} : { audit: flags.audit }),
    ...(flags.auditLog === undefined ? {} : { auditLog: flags.auditLog }),
    ...(library === undefined ? {} : { library }),
    // Another home folder stands for everything that is in it.
    ...(flags["user-dir"] === undefined
      ? { movedFolders: movedFolders(process.env) }
      : { userDir: userFolder(flags["user-dir"]) }),
    ...(flags["plugins-file"] === undefined ? {} : { pluginsFile: flags["plugins-file"] }),
    ...(flags["plugins-root"] === undefined ? {} : { pluginsRoot: flags["plugins-root"] }),
  };
}

/** Most people have none, and then nothing is read. */
function profilesInForce(flags: ViewFlags): Pick<SkillViewOptions, "profiles"> {
  const names = [...new Set([flags.profile, flags.projectProfile])].filter((name) => name !== undefined);
  return names.length === 0 ? {} : { profiles: requireProfiles(profilesOf(flags), names) };
}

/** Every profile that there is. */
export function profilesOf(flags: ViewFlags): readonly Profile[] {
  const home = path.resolve(flags["user-dir"] === undefined ? homeFolder() : userFolder(flags["user-dir"]));
  return knownProfiles(flags.profiles ?? {}, ownFolderIn(home));
}

/** A `~` in `--user-dir` is the real home folder. */
export function userFolder(flag: string): string {
  return expandHome(flag, homeFolder());
}

/** The library named by flag or environment. An empty variable counts as not set: client configs leave one out that way. */
export function libraryFolder(flag: string | undefined): string | undefined {
  return flag ?? (process.env["SKILLS_DIR"]?.trim() || undefined);
}
