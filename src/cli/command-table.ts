import type { Command } from "./command.ts";
import type { Flags } from "./flags.ts";

interface CommandModule {
  readonly command: Command;
  readonly flags: Flags;
}

export interface CommandEntry {
  readonly usage: string;
  readonly summary: string;
  /** Commands load on demand: `list` never pays for the MCP SDK. */
  readonly load: () => Promise<CommandModule>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  mcp: {
    usage: "mcp",
    summary: "serve skills over MCP (the default)",
    load: () => import("./commands/mcp.ts"),
  },
  "mcp-server": {
    usage: "mcp-server",
    summary: "serve one folder (--root, default ./skills) as a catalog",
    load: () => import("./commands/mcp-server.ts"),
  },
  serve: {
    usage: "serve",
    summary: "serve over HTTP, with a page for people",
    load: () => import("./commands/serve.ts"),
  },
  list: {
    usage: "list",
    summary: "list every skill that is served",
    load: () => import("./commands/list.ts"),
  },
  info: {
    usage: "info <name>",
    summary: "show one skill and what comes with it",
    load: () => import("./commands/info.ts"),
  },
  search: {
    usage: "search <query>",
    summary: "find skills for a task",
    load: () => import("./commands/search.ts"),
  },
  stats: {
    usage: "stats",
    summary: "show what is used, what never is, and what was looked for in vain",
    load: () => import("./commands/stats.ts"),
  },
  validate: {
    usage: "validate <path>…",
    summary: "check skills and libraries for mistakes",
    load: () => import("./commands/validate.ts"),
  },
  doctor: {
    usage: "doctor",
    summary: "show what was found where, and what is wrong",
    load: () => import("./commands/doctor.ts"),
  },
  config: {
    usage: "config",
    summary: "show every setting and where it came from",
    load: () => import("./commands/config.ts"),
  },
  enable: {
    usage: "enable <name>",
    summary: "turn a skill on again",
    load: () => import("./commands/enable.ts"),
  },
  disable: {
    usage: "disable <name>",
    summary: "turn a skill off",
    load: () => import("./commands/disable.ts"),
  },
};
