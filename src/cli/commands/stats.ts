import { MOST_USAGE_DAYS, usageSpan } from "../../app/usage/usage-span.ts";
import type { Command } from "../command.ts";
import { badUsage, type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderNoStats, renderStats } from "../render/stats.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

const DEFAULT_SINCE = "30d";

export const flags = {
  ...JSON_FLAG,
  since: {
    kind: "text",
    value: "<7d|2026-11-01>",
    help: `so many days, or from a day on (default ${DEFAULT_SINCE})`,
  },
  ...VIEW_FLAGS,
} as const satisfies Flags;

/** `skills-mcp stats`: what was used, what never was, and what was looked for in vain. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    refusePositionals("stats", positionals);
    const since = given.since ?? DEFAULT_SINCE;
    const span = usageSpan(since, Date.now());
    if (span === undefined) {
      throw badUsage(
        "--since",
        `--since takes a number of days up to ${MOST_USAGE_DAYS}, such as 7d, or a day that has come, such as 2026-11-01, not '${since}'.`,
      );
    }
    return withSkillView(given, terminal, async (app) => {
      const summary = await app.usage(span);
      if (given.json) terminal.print(`${JSON.stringify(summary, null, 2)}\n`);
      else if (summary.totals.events === 0) terminal.print(renderNoStats(summary, terminal.style));
      else terminal.print(renderStats(summary, terminal.width, terminal.style));
      return 0;
    });
  },
};
