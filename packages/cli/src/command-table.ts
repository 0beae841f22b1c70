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
  status: entry(
    "status",
    "show what is served, what is wrong and what to do next",
    () => import("./commands/status.ts"),
  ),
  list: entry("list", "list all skills", () => import("./commands/list.ts")),
  info: entry("info <name>", "show a skill and its files", () => import("./commands/info.ts")),
  search: entry("search <query>", "find skills for a task", () => import("./commands/search.ts")),
  refresh: entry(
    "refresh",
    "fetch the repositories now, here or on a running server",
    () => import("./commands/manage/refresh.ts"),
  ),
  add: entry(
    "add <source> [skill…]",
    "install skills from a repository, folder, archive or site",
    () => import("./commands/manage/add.ts"),
  ),
  remove: entry("remove <name>…", "remove installed skills", () => import("./commands/manage/remove.ts")),
  update: entry(
    "update [name…]",
    "update installed skills and keep local edits",
    () => import("./commands/manage/update.ts"),
  ),
  outdated: entry(
    "outdated",
    "list installed skills that have updates",
    () => import("./commands/manage/outdated.ts"),
  ),
  sync: entry("sync", "install what skills-lock.json lists", () => import("./commands/manage/sync.ts")),
  verify: entry(
    "verify",
    "compare installed skills with skills-lock.json",
    () => import("./commands/manage/verify.ts"),
  ),
  undo: entry("undo", "undo the last change to installed skills", () => import("./commands/manage/undo.ts")),
  stats: entry(
    "stats",
    "show used and unused skills, and searches with no match",
    () => import("./commands/stats.ts"),
  ),
  validate: entry(
    "validate [<path>…]",
    "check skills and libraries for errors",
    () => import("./commands/validate.ts"),
  ),
  audit: entry(
    "audit [<path|name>…]",
    "check skills for dangerous instructions before an agent follows them",
    () => import("./commands/audit.ts"),
  ),
  new: entry("new <name>", "create a skill from a template", () => import("./commands/manage/new.ts")),
  publish: entry(
    "publish --dir <dir>",
    "export all skills as static files that installers can download",
    () => import("./commands/manage/publish.ts"),
  ),
  approve: entry(
    "approve [name…]",
    "review skills that are waiting for approval, and approve them",
    () => import("./commands/manage/approve.ts"),
  ),
  doctor: entry(
    "doctor",
    "diagnose problems; exits with 1 if there are errors",
    () => import("./commands/doctor.ts"),
  ),
  connect: entry("connect [client]…", "add this server to installed agents", async () => ({
    command: (await import("./commands/manage/connect.ts")).connect,
  })),
  disconnect: entry("disconnect [client]…", "remove this server from agents", async () => ({
    command: (await import("./commands/manage/connect.ts")).disconnect,
  })),
  hook: entry(
    "hook install|remove|status",
    "suggest a matching skill to the agent before each prompt is sent",
    () => import("./commands/hook.ts"),
  ),
  eval: entry(
    "eval [path…]",
    "check that the test prompts of each skill find it",
    () => import("./commands/eval.ts"),
  ),
  config: entry("config", "show all settings and where each is set", () => import("./commands/config.ts")),
  enable: entry("enable <name>…", "enable skills", async () => ({
    command: (await import("./commands/toggle.ts")).enable,
  })),
  disable: entry("disable <name>…", "disable skills, so that agents no longer see them", async () => ({
    command: (await import("./commands/toggle.ts")).disable,
  })),
  completion: entry(
    "completion bash|zsh|fish",
    "print a shell completion script",
    () => import("./commands/completion.ts"),
  ),
};

/** Short names that people know from package managers. One whose command does not exist is not offered. */
const ALIASES: Readonly<Record<string, string>> = { ls: "list", rm: "remove", i: "add" };

/** The aliases of a command that exists. */
export function aliasesOf(name: string): readonly string[] {
  return Object.hasOwn(COMMANDS, name) ? Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name) : [];
}

/** The command that a word stands for. */
export function commandOf(word: string): string {
  const meant = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
  return meant !== undefined && Object.hasOwn(COMMANDS, meant) ? meant : word;
}

/** Every word that is a command. */
export function commandWords(): ReadonlySet<string> {
  const names = Object.keys(COMMANDS);
  return new Set([...names, ...names.flatMap(aliasesOf), "help"]);
}
