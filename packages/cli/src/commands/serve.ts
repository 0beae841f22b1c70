import { ownProgram } from "#agents";
import { defineCommand } from "../command.ts";
import { flag } from "../flags.ts";
import { chooseExamples } from "../http/bundled-examples.ts";
import { openBrowser } from "../http/open-browser.ts";
import { reachableUrl } from "../http/reachable-url.ts";
import { serveHttp } from "../http/serve-http.ts";
import { STDIO_COMMANDS } from "../plan-server.ts";
import { dashboardAddress, renderConnect } from "../render/connect.ts";
import { HTTP_FLAGS, SHARED_SERVER_FLAGS } from "../server-flags.ts";

/** `skills-mcp serve`: MCP over HTTP, the dashboard, and how to connect. */
export const command = defineCommand({
  name: "serve",
  summary: "serve over HTTP with a web dashboard",
  order: 30,
  bundle: "server",
  isServer: true,
  examples: ["serve --open", "serve --host 0.0.0.0 --token-file tokens"],
  flags: {
    open: flag.switch("open the dashboard in a browser"),
    examples: flag.switch("also serve the bundled examples (default: only if there are no skills)"),
    ...HTTP_FLAGS,
    ...SHARED_SERVER_FLAGS,
  },
  takes: "none",
  async run(invocation) {
    const { given, terminal, log } = invocation;
    const { defaultTools, view } = STDIO_COMMANDS.mcp(given);
    const examples = await chooseExamples(given);
    return serveHttp(
      invocation,
      { defaultTools, view: { ...view, ...examples.view } },
      {
        sseOnly: false,
        showPage: true,
        onListening(url, { publicUrl, tokenFile }, key) {
          if (examples.isFallback)
            log.warn(
              "no skills found, so the bundled examples are served; skills-mcp add installs real ones",
            );
          const base = (publicUrl?.href ?? reachableUrl(url)).replace(/\/$/, "");
          const address = dashboardAddress(base, key);
          const access = {
            listensOn: url,
            withToken: tokenFile !== undefined,
            areExamples: examples.isFallback,
            ours: ownProgram().shown,
          };
          terminal.print(renderConnect(base, address, access, terminal.style));
          if (given.open) openBrowser(address, log);
        },
      },
    );
  },
});
