import { MOST_USAGE_DAYS, usageSpan } from "../../app/usage-span.ts";
import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderNoStats, renderStats } from "../render/stats.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

const DEFAULT_SINCE = "30d";

/** `skills-mcp stats`: which skills are used, which are not, and searches with no match. */
export const command = defineCommand({
  name: "stats",
  flags: {
    ...JSON_FLAG,
    since: flag.text(
      "<days|date>",
      `a number of days such as 7d, or a date such as 2026-11-01 (default ${DEFAULT_SINCE})`,
    ),
    ...VIEW_FLAGS,
  },
  takes: "none",
  run({ given, terminal, log }) {
    const since = given.since ?? DEFAULT_SINCE;
    const span = usageSpan(since, Date.now());
    if (span === undefined) {
      throw badUsage(
        "--since",
        `--since takes a number of days from 1d to ${MOST_USAGE_DAYS}d or a past date such as 2026-11-01, not '${since}'.`,
      );
    }
    return withSkillView(given, log, async (app) => {
      const { width, style } = terminal;
      const summary = await app.usage(span);
      if (given.json) printJson(terminal, summary);
      else if (summary.totals.events === 0) terminal.print(renderNoStats(summary, style));
      else terminal.print(renderStats(summary, width, style));
      return 0;
    });
  },
});
