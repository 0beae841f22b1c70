import type { Command } from "../command.ts";
import { parseFlags } from "../flags.ts";
import { command as add } from "./add.ts";
import { command as sync } from "./sync.ts";

const flags = { ...sync.flags, ...add.flags };

/** `skills-mcp install`: what package managers mean by it, which is two commands here. */
export const command: Command = {
  ...add,
  name: "install",
  aliases: ["i"],
  usage: "install [source] [skill…]",
  summary: "the same as add; without a source the same as sync",
  order: 95,
  examples: ["install anthropics/skills pdf", "install"],
  flags,
  run(args, terminal) {
    const { positionals } = parseFlags(args, flags, "install");
    return (positionals.length === 0 ? sync : add).run(args, terminal);
  },
};
