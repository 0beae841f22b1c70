import type { Command } from "./command.ts";

/** Commands load on demand: `list` does not load the MCP SDK. */
type LoadCommand = () => Promise<{ readonly command: Command }>;

const entry = (usage: string, summary: string, load: LoadCommand) => ({ usage, summary, load }) as const;

export type CommandEntry = ReturnType<typeof entry>;

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  mcp: entry("mcp", "serve skills over MCP (the default)", async () => ({
    command: (await import("./commands/mcp.ts")).mcp,
  })),
  "mcp-server": entry("mcp-server", "serve only one folder, with the catalog tools", async () => ({
    command: (await import("./commands/mcp.ts")).mcpServer,
  })),
  serve: entry("serve", "serve over HTTP with a web dashboard", () => import("./commands/serve.ts")),
  list: entry("list", "list all skills", () => import("./commands/list.ts")),
  info: entry("info <name>", "show a skill and its files", () => import("./commands/info.ts")),
  search: entry("search <query>", "find skills for a task", () => import("./commands/search.ts")),
  add: entry(
    "add <source> [skill…]",
    "install skills of a repository, folder, archive or site",
    () => import("./commands/manage/add.ts"),
  ),
  remove: entry("remove <name>…", "remove installed skills", () => import("./commands/manage/remove.ts")),
  update: entry(
    "update [name…]",
    "update installed skills, and keep edits",
    () => import("./commands/manage/update.ts"),
  ),
  outdated: entry(
    "outdated",
    "show installed skills with updates",
    () => import("./commands/manage/outdated.ts"),
  ),
  sync: entry("sync", "install what skills-lock.json lists", () => import("./commands/manage/sync.ts")),
  verify: entry(
    "verify",
    "compare installed skills with skills-lock.json",
    () => import("./commands/manage/verify.ts"),
  ),
  undo: entry(
    "undo",
    "take back the last change of installed skills",
    () => import("./commands/manage/undo.ts"),
  ),
  stats: entry(
    "stats",
    "show used and unused skills, and searches with no match",
    () => import("./commands/stats.ts"),
  ),
  validate: entry(
    "validate <path>…",
    "check skills and libraries for errors",
    () => import("./commands/validate.ts"),
  ),
  doctor: entry("doctor", "diagnose problems", () => import("./commands/doctor.ts")),
  config: entry("config", "show all settings and where each is set", () => import("./commands/config.ts")),
  enable: entry("enable <name>", "enable a skill", async () => ({
    command: (await import("./commands/toggle.ts")).enable,
  })),
  disable: entry("disable <name>", "disable a skill, so that agents no longer see it", async () => ({
    command: (await import("./commands/toggle.ts")).disable,
  })),
};
