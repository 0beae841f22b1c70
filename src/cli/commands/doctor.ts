import { defineCommand, printJson } from "../command.ts";
import { withSkillView } from "../open-view.ts";
import { isHealthy, renderCheckup } from "../render/health.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp doctor`: what was found where, and what is wrong. Exit 1 on errors. */
export const command = defineCommand({
  name: "doctor",
  flags: { ...JSON_FLAG, ...VIEW_FLAGS },
  takes: "none",
  run: ({ given, terminal, log }) =>
    withSkillView(
      given,
      log,
      async (app, _snapshot, wrongSettings) => {
        const checkup = { ...(await app.health()), wrongSettings };
        if (given.json) printJson(terminal, checkup);
        else terminal.print(renderCheckup(checkup, terminal.style));
        return isHealthy(checkup) ? 0 : 1;
      },
      { asServed: true },
    ),
});
