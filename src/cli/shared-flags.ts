import type { SkillViewOptions } from "../app/options.ts";
import { expandHome, homeFolder } from "../system/home-folder.ts";
import type { Flags, FlagValues } from "./flags.ts";

/** The flags of every command that reads skills: the command line and MCP share one view. */
export const VIEW_FLAGS = {
  "skill-dir": { kind: "list", value: "<dir>", help: "a folder with skills, before all others (repeatable)" },
  root: { kind: "text", value: "<dir>", help: "the same for one folder" },
  library: {
    kind: "text",
    value: "<dir>",
    help: "a library of keyword-routed Markdown (default: $SKILLS_DIR)",
  },
  "user-dir": { kind: "text", value: "<dir>", help: "stands in for the home folder" },
  "no-default-dirs": { kind: "switch", help: "do not search the agents' own folders" },
  "no-plugins": { kind: "switch", help: "leave installed plugins out" },
  "plugins-file": {
    kind: "text",
    value: "<file>",
    help: "instead of ~/.claude/plugins/installed_plugins.json",
  },
  "plugins-root": { kind: "text", value: "<dir>", help: "where relative install paths of plugins start" },
  strict: { kind: "switch", help: "skip skills whose front matter had to be recovered" },
  include: { kind: "list", value: "<tokens>", help: "only these: a provider, @plugin or name, with * and ?" },
  exclude: { kind: "list", value: "<tokens>", help: "not these; applied after --include" },
} as const satisfies Flags;

export const JSON_FLAG = { json: { kind: "switch", help: "print JSON" } } as const satisfies Flags;

/** The flags as the options of the app. */
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

/** What stands in for the home folder may lie in the real one. */
export function userFolder(flag: string): string {
  return expandHome(flag, homeFolder());
}

/** The library that was named, by flag or by environment. An empty variable is how client configs leave one out. */
export function libraryFolder(flag: string | undefined): string | undefined {
  return flag ?? (process.env["SKILLS_DIR"]?.trim() || undefined);
}
