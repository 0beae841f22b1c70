import { defineCommand } from "../command.ts";
import { flag } from "../flags.ts";
import { chooseExamples } from "../http/bundled-examples.ts";
import { serveHttp } from "../http/serve-http.ts";
import { STDIO_COMMANDS } from "../plan-server.ts";
import { renderConnect } from "../render/connect.ts";
import { HTTP_FLAGS, SHARED_SERVER_FLAGS } from "../server-flags.ts";

/** `skills-mcp serve`: MCP over HTTP, the dashboard, and how to connect. */
export const command = defineCommand({
  name: "serve",
  flags: {
    examples: flag.switch("also serve the bundled examples (default: only if there are no skills)"),
    ...HTTP_FLAGS,
    ...SHARED_SERVER_FLAGS,
  },
  takes: "none",
  async run({ given, terminal, log }) {
    const { defaultTools, view } = STDIO_COMMANDS.mcp(given);
    const examples = await chooseExamples(given);
    return serveHttp(
      given,
      { defaultTools, view: { ...view, ...examples.view } },
      {
        sseOnly: false,
        showPage: true,
        onListening(url, { publicUrl, tokenFile }) {
          if (examples.isFallback) log.info("no skills found, serving the bundled examples");
          const base = (publicUrl?.href ?? url).replace(/\/$/, "");
          terminal.print(renderConnect(base, tokenFile !== undefined, terminal.style));
        },
      },
      log,
    );
  },
});
