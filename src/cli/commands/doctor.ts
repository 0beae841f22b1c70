import type { Command } from "../command.ts";
import { type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { isHealthy, renderCheckup } from "../render/health.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

export const flags = { ...JSON_FLAG, ...VIEW_FLAGS } as const satisfies Flags;

/** `skills-mcp doctor`: what was found where, what is wrong, and how scripts are kept in bounds. Exit 1 on errors. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    refusePositionals("doctor", positionals);
    return withSkillView(
      given,
      terminal,
      async (app, _snapshot, wrongSettings) => {
        const checkup = { ...(await app.health()), wrongSettings };
        terminal.print(
          given.json ? `${JSON.stringify(checkup, null, 2)}\n` : renderCheckup(checkup, terminal.style),
        );
        return isHealthy(checkup) ? 0 : 1;
      },
      { asServed: true },
    );
  },
};
