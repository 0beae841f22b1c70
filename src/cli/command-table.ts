import type { Command } from "./command.ts";

export interface CommandEntry {
  readonly usage: string;
  readonly summary: string;
  /** Commands load on demand: `list` never pays for the MCP SDK. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  mcp: {
    usage: "mcp",
    summary: "serve skills over MCP (the default)",
    load: () => import("./commands/mcp.ts"),
  },
  "mcp-server": {
    usage: "mcp-server",
    summary: "serve only one folder, with the catalog tools",
    load: () => import("./commands/mcp-server.ts"),
  },
  serve: {
    usage: "serve",
    summary: "serve over HTTP with a web dashboard",
    load: () => import("./commands/serve.ts"),
  },
  list: { usage: "list", summary: "list all skills", load: () => import("./commands/list.ts") },
  info: {
    usage: "info <name>",
    summary: "show a skill and its files",
    load: () => import("./commands/info.ts"),
  },
  search: {
    usage: "search <query>",
    summary: "find skills for a task",
    load: () => import("./commands/search.ts"),
  },
  stats: {
    usage: "stats",
    summary: "show used and unused skills, and searches with no match",
    load: () => import("./commands/stats.ts"),
  },
  validate: {
    usage: "validate <path>…",
    summary: "check skills and libraries for errors",
    load: () => import("./commands/validate.ts"),
  },
  doctor: { usage: "doctor", summary: "find out what is wrong", load: () => import("./commands/doctor.ts") },
  config: {
    usage: "config",
    summary: "show all settings and where each is set",
    load: () => import("./commands/config.ts"),
  },
  enable: {
    usage: "enable <name>",
    summary: "enable a skill",
    load: async () => ({ command: (await import("./commands/toggle.ts")).enable }),
  },
  disable: {
    usage: "disable <name>",
    summary: "disable a skill, so that agents no longer see it",
    load: async () => ({ command: (await import("./commands/toggle.ts")).disable }),
  },
};
