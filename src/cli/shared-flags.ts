import type { SkillViewOptions } from "../app/options.ts";
import { expandHome } from "../registry/roots/roots.ts";
import { homeFolder } from "../system/home-folder.ts";
import type { Flags, FlagValues } from "./flags.ts";

/** The flags of every command that reads skills: the command line and MCP share one view. */
export const VIEW_FLAGS = {
  "skill-dir": { kind: "list", value: "<dir>", help: "folder with skills, ahead of all others (repeatable)" },
  root: { kind: "text", value: "<dir>", help: "same as --skill-dir, for one folder" },
  library: { kind: "text", value: "<dir>", help: "folder of a skill library (default: $SKILLS_DIR)" },
  "user-dir": { kind: "text", value: "<dir>", help: "use instead of the home folder" },
  "no-default-dirs": {
    kind: "switch",
    help: "do not search the agents' own folders, such as .claude/skills",
  },
  "no-plugins": { kind: "switch", help: "do not search installed plugins" },
  "plugins-file": {
    kind: "text",
    value: "<file>",
    help: "use instead of ~/.claude/plugins/installed_plugins.json",
  },
  "plugins-root": {
    kind: "text",
    value: "<dir>",
    help: "base folder for relative plugin paths (default ~/.claude/plugins)",
  },
  strict: { kind: "switch", help: "skip skills whose front matter is not valid YAML" },
  include: {
    kind: "list",
    value: "<tokens>",
    help: "only these skills: a provider, @plugin, name or glob (repeatable, comma-separated)",
  },
  exclude: { kind: "list", value: "<tokens>", help: "leave these skills out; applied after --include" },
} as const satisfies Flags;

export const JSON_FLAG = { json: { kind: "switch", help: "print JSON" } } as const satisfies Flags;

export function viewOptions(flags: FlagValues<typeof VIEW_FLAGS>): SkillViewOptions {
  const library = libraryFolder(flags.library);
  return {
    skillDirs: flags.root === undefined ? flags["skill-dir"] : [...flags["skill-dir"], flags.root],
    scanDefaultDirs: !flags["no-default-dirs"],
    skipPlugins: flags["no-plugins"],
    strict: flags.strict,
    include: flags.include,
    exclude: flags.exclude,
    ...(library === undefined ? {} : { library }),
    ...(flags["user-dir"] === undefined ? {} : { userDir: userFolder(flags["user-dir"]) }),
    ...(flags["plugins-file"] === undefined ? {} : { pluginsFile: flags["plugins-file"] }),
    ...(flags["plugins-root"] === undefined ? {} : { pluginsRoot: flags["plugins-root"] }),
  };
}

/** A `~` in `--user-dir` is the real home folder. */
export function userFolder(flag: string): string {
  return expandHome(flag, homeFolder());
}

/** The library named by flag or environment. An empty variable counts as not set: client configs leave one out that way. */
export function libraryFolder(flag: string | undefined): string | undefined {
  return flag ?? (process.env["SKILLS_DIR"]?.trim() || undefined);
}
