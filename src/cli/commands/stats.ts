import { usageStats } from "../../app/usage-stats.ts";
import type { Command } from "../command.ts";
import { badUsage, type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderNoStats, renderStats } from "../render/stats.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

const DEFAULT_SINCE = "30d";
const MOST_DAYS = 3650;
const DAY_MS = 24 * 60 * 60_000;

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
    const span = spanOf(given.since ?? DEFAULT_SINCE, Date.now());
    return withSkillView(given, terminal, async (_app, { catalog, library }) => {
      const skills = [...catalog.entries.map(({ listedAs }) => listedAs), ...library.skills.keys()];
      const summary = await usageStats({ userDir: given["user-dir"], span, skills });
      if (given.json) terminal.print(`${JSON.stringify(summary, null, 2)}\n`);
      else if (summary.totals.events === 0) terminal.print(renderNoStats(summary, terminal.style));
      else terminal.print(renderStats(summary, terminal.width, terminal.style));
      return 0;
    });
  },
};

/** From the first day that is meant to today, in days of UTC. */
function spanOf(since: string, now: number): { readonly since: string; readonly until: string } {
  const until = dayOf(now);
  const days = /^(\d{1,5})d$/.exec(since)?.[1];
  if (days !== undefined && Number(days) >= 1 && Number(days) <= MOST_DAYS) {
    return { since: dayOf(now - (Number(days) - 1) * DAY_MS), until };
  }
  const time = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN;
  // The 31st of February is read as the 3rd of March.
  const isDay = !Number.isNaN(time) && dayOf(time) === since;
  if (isDay && since <= until && time >= now - MOST_DAYS * DAY_MS) return { since, until };
  throw badUsage(
    "--since",
    `--since takes a number of days up to ${MOST_DAYS}, such as 7d, or a day that has come, such as 2026-11-01, not '${since}'.`,
  );
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
