import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderClientView } from "../render/client-view.ts";
import { isHealthy, renderCheckup } from "../render/health.ts";
import { CLIENT_FLAGS } from "../server-flags.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";
import { parseClient, viewClient } from "../view-client.ts";

/** `skills-mcp doctor`: what was found where, and what is wrong. Exit 1 on errors. With `--client`: what its model sees. */
export const command = defineCommand({
  name: "doctor",
  flags: {
    client: flag.text("<name>[@version]", "show what this client's model sees of the skills at turn 1"),
    ...JSON_FLAG,
    ...CLIENT_FLAGS,
    ...VIEW_FLAGS,
  },
  takes: "none",
  run({ given, named, terminal, log }) {
    const client = given.client === undefined ? undefined : parseClient(given.client);
    if (client === undefined) refuseClientFlags(named);
    return withSkillView(
      given,
      log,
      async (app, snapshot, wrongSettings) => {
        if (client !== undefined) {
          const view = viewClient(app, snapshot, client, given);
          if (given.json) printJson(terminal, view);
          else terminal.print(renderClientView(view, terminal.style));
          return 0;
        }
        const checkup = { ...(await app.health()), wrongSettings, findings: await app.findings() };
        if (given.json) printJson(terminal, checkup);
        else terminal.print(renderCheckup(checkup, terminal.style));
        return isHealthy(checkup) ? 0 : 1;
      },
      { asServed: true },
    );
  },
});

/** Without a client they would do nothing. */
function refuseClientFlags(named: ReadonlySet<string>): void {
  const used = Object.keys(CLIENT_FLAGS).find((name) => named.has(name));
  if (used !== undefined)
    throw badUsage(`--${used}`, `--${used} needs --client, such as --client claude-code@2.1.325.`);
}
