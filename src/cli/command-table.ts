import type { Command } from "./command.ts";

export interface CommandEntry {
  readonly usage: string;
  readonly summary: string;
  /** Commands load on demand: `list` never pays for the MCP SDK. */
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  mcp: {
    usage: "mcp",
    summary: "serve skills to an agent over MCP (the default command)",
    load: async () => (await import("./commands/mcp.ts")).command,
  },
  "mcp-server": {
    usage: "mcp-server",
    summary: "serve only one folder, with the catalog tools",
    load: async () => (await import("./commands/mcp-server.ts")).command,
  },
  serve: {
    usage: "serve",
    summary: "serve over HTTP with a web dashboard",
    load: async () => (await import("./commands/serve.ts")).command,
  },
  list: {
    usage: "list",
    summary: "list all skills",
    load: async () => (await import("./commands/list.ts")).command,
  },
  info: {
    usage: "info <name>",
    summary: "show a skill and its files",
    load: async () => (await import("./commands/info.ts")).command,
  },
  search: {
    usage: "search <query>",
    summary: "find skills for a task",
    load: async () => (await import("./commands/search.ts")).command,
  },
  stats: {
    usage: "stats",
    summary: "show used and unused skills, and searches with no match",
    load: async () => (await import("./commands/stats.ts")).command,
  },
  validate: {
    usage: "validate <path>…",
    summary: "check skills and libraries for errors",
    load: async () => (await import("./commands/validate.ts")).command,
  },
  doctor: {
    usage: "doctor",
    summary: "show which folders are searched, and what is wrong",
    load: async () => (await import("./commands/doctor.ts")).command,
  },
  config: {
    usage: "config",
    summary: "show all settings and where each is set",
    load: async () => (await import("./commands/config.ts")).command,
  },
  enable: {
    usage: "enable <name>",
    summary: "enable a skill",
    load: async () => (await import("./commands/toggle.ts")).enable,
  },
  disable: {
    usage: "disable <name>",
    summary: "disable a skill, so that agents no longer see it",
    load: async () => (await import("./commands/toggle.ts")).disable,
  },
};
