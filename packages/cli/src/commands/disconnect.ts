import { CHANGE_FLAGS } from "../change-agents.ts";
import { defineCommand } from "../command.ts";
import { changeClients } from "../connect-clients.ts";
import { flag } from "../flags.ts";

/** `skills-mcp disconnect`: removes our entry from the configuration of clients. */
export const command = defineCommand({
  name: "disconnect",
  usage: "[agent]…",
  summary: "remove this server from agents",
  order: 240,
  bundle: "manage",
  examples: ["disconnect", "disconnect codex"],
  flags: { force: flag.switch("remove an entry 'skills' that does not start skills-mcp"), ...CHANGE_FLAGS },
  takes: "any",
  run: (invocation) => changeClients(invocation),
});
