import { ownProgram } from "#agents";
import { connectToRead, redisAway } from "#fleet";
import { hasUsage } from "#server/wire";
import { MOST_USAGE_DAYS, usageSpan } from "#usage";
import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderNoStats, renderStats } from "../render/stats.ts";
import { JSON_FLAG, VIEW_FLAGS, viewOptions } from "../shared-flags.ts";

const DEFAULT_SINCE = "30d";

/** `skills-mcp stats`: which skills are used, which are not, and searches with no match. */
export const command = defineCommand({
  name: "stats",
  summary: "show used and unused skills, and searches with no match",
  order: 160,
  bundle: "commands",
  examples: ["stats", "stats --since 7d"],
  flags: {
    ...JSON_FLAG,
    since: flag.text(
      "<days|date>",
      `a number of days such as 7d, or a date such as 2026-11-01 (default ${DEFAULT_SINCE})`,
    ),
    all: flag.switch("show whole lists, not only what fits a screen"),
    redis: flag.switch(
      "usage of all replicas, from the Redis at the address that follows or at $SKILLS_REDIS",
    ),
    ...VIEW_FLAGS,
  },
  takes: "any",
  async run({ given, positionals: [address, ...more], terminal, log }) {
    const unexpected = given.redis ? more[0] : address;
    if (unexpected !== undefined)
      throw badUsage(unexpected, `stats takes no arguments, but got '${unexpected}'.`);
    const since = given.since ?? DEFAULT_SINCE;
    const span = usageSpan(since, Date.now());
    if (span === undefined) {
      throw badUsage(
        "--since",
        `--since takes a number of days from 1d to ${MOST_USAGE_DAYS}d or a past date such as 2026-11-01, not '${since}'.`,
      );
    }
    const redis = given.redis ? await connectToRead(address, viewOptions(given).userDir, log) : undefined;
    try {
      return await withSkillView(
        given,
        log,
        async (services) => {
          const { width, style } = terminal;
          const summary = await services.usage.usage(span);
          if (redis !== undefined && summary.scope !== "fleet") throw redisAway();
          if (given.json) printJson(terminal, summary);
          else if (hasUsage(summary) || summary.totals.errors + summary.feedback.length > 0)
            terminal.print(renderStats(summary, { width, style }, { all: given.all }));
          else terminal.print(renderNoStats(summary, { width, style }, ownProgram().shown));
          return 0;
        },
        { redis },
      );
    } finally {
      await redis?.close();
    }
  },
});
