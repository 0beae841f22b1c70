import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderClientView } from "../render/client-view.ts";
import { countsOf, renderCheckup } from "../render/health.ts";
import { CLIENT_FLAGS } from "../server-flags.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";
import { parseClient, viewClientWith } from "../view-client.ts";

/** `skills-mcp doctor`: what was found where, and what is wrong. Exit 1 on errors. With `--client`: what its model sees. */
export const command = defineCommand({
  name: "doctor",
  summary: "diagnose problems; exits with 1 if there are errors",
  order: 220,
  bundle: "commands",
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
      async (services, snapshot, wrongSettings) => {
        if (client !== undefined) {
          const view = viewClientWith(snapshot, client, given);
          if (given.json) printJson(terminal, view);
          else terminal.print(renderClientView(view, terminal.style));
          return 0;
        }
        const review = snapshot.reviewed === undefined ? [] : await (await services.review()).list();
        const inForce = await services.checks.inForce();
        const checkup = {
          ...(await services.checks.health()),
          ...(inForce === undefined ? {} : { inForce }),
          wrongSettings,
          review,
          findings: await services.checks.findings(),
        };
        const counts = countsOf(checkup);
        if (given.json) printJson(terminal, { ...checkup, counts });
        else terminal.print(renderCheckup(checkup, terminal));
        return counts.error === 0 ? 0 : 1;
      },
      { asServed: true },
    );
  },
});

/** Refuses flags that only count with `--client`, if that is missing. */
function refuseClientFlags(named: ReadonlySet<string>): void {
  const used = Object.keys(CLIENT_FLAGS).find((name) => named.has(name));
  if (used !== undefined)
    throw badUsage(`--${used}`, `--${used} needs --client, such as --client claude-code@2.1.325.`);
}
