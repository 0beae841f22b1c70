import { DEFAULT_TOOLS } from "../../mcp/definitions/tool-sets.ts";
import type { Command } from "../command.ts";
import { type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { chooseExamples } from "../http/bundled-examples.ts";
import { serveHttp } from "../http/serve-http.ts";
import { printable } from "../render/columns.ts";
import { renderConnect } from "../render/connect.ts";
import { HTTP_FLAGS, OFFER_FLAGS } from "../server-flags.ts";
import { terminalLog } from "../terminal-log.ts";

export const flags = {
  examples: { kind: "switch", help: "serve the bundled examples too, not only when nothing else is found" },
  ...HTTP_FLAGS,
  ...OFFER_FLAGS,
} as const satisfies Flags;

/** `skills-mcp serve`: MCP over HTTP, a page for people, and how to connect. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    refusePositionals("serve", positionals);
    const log = terminalLog(terminal);
    const { root } = given;
    const catalog = root === undefined ? {} : { catalogRoot: root };
    const defaultTools = root === undefined ? DEFAULT_TOOLS.loader : DEFAULT_TOOLS.loaderAndCatalog;
    const examples = await chooseExamples(given);
    const view = { ...catalog, ...examples.view };
    return serveHttp(
      given,
      { defaultTools, view },
      {
        sseOnly: false,
        showPage: true,
        onListening(url, { publicUrl, tokenFile, oauth }) {
          if (examples.isUnasked) log.info("no skills were found, so the bundled examples are served.");
          const base = (publicUrl?.href ?? url).replace(/\/$/, "");
          const auth = tokenFile !== undefined ? "token" : oauth !== undefined ? "oauth" : "none";
          terminal.print(renderConnect(base, auth, terminal.style));
        },
      },
      log,
    );
  },
};
