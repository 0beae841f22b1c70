import { useEffect, useMemo, useState } from "preact/hooks";
import type { OverviewAnswer, UsageAnswer } from "#server/wire";
import { hasUsage } from "#server/wire";
import { DayChart } from "../parts/chart.tsx";
import { count, formatNumber } from "../parts/format.ts";
import { Loading, ResourceView } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Figure, Panel } from "../parts/panel.tsx";
import { useDashboard } from "../state/context.ts";
import { readUpdates } from "../state/known-updates.ts";
import { routeHash } from "../state/route.ts";
import { type Resource, useResource } from "../state/use-resource.ts";
import { GuidedStart } from "./guided-start.tsx";
import { hasOnlyExamples, isUnused, nextSteps } from "./next-steps.ts";
import {
  AgentsPanel,
  NextStepsPanel,
  ReplicasPanel,
  SourcesSummary,
  TurnOnePanel,
  UnmatchedPanel,
} from "./overview-panels.tsx";
import { trendOf } from "./trend.ts";

/** An agent that connects sends no event. */
const POLL_MS = 4_000;
const SHOWN_DAYS = 30;

/** The landing page: what agents can do, what is wrong, what is used, and what to do next. */
export function OverviewView() {
  const { client, generation } = useDashboard();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), POLL_MS);
    return () => clearInterval(timer);
  }, []);
  // Asked for at the same time, so that the page is there after one answer and not after two.
  const month = useResource("month", generation, (signal) =>
    client.get<UsageAnswer>("usage", { since: `${SHOWN_DAYS}d` }, signal),
  );
  const overview = useResource("overview", `${generation} ${now}`, (signal) =>
    client.get<OverviewAnswer>("overview", {}, signal),
  );
  return (
    <div class="page">
      <PageHeader title="Overview">What your agents can do, what is wrong, and what is used.</PageHeader>
      {overview.value === undefined && overview.error === undefined ? (
        <OverviewSkeleton />
      ) : (
        <ResourceView resource={overview} what="the overview">
          {(value) => <Panels overview={value} month={month} now={now} />}
        </ResourceView>
      )}
    </div>
  );
}

function Panels({
  overview,
  month,
  now,
}: {
  readonly overview: OverviewAnswer;
  readonly month: Resource<UsageAnswer>;
  readonly now: number;
}) {
  const { client, generation, problems, waiting = 0 } = useDashboard();
  // Twice the span for a trend, and what was before tells whether all of it was recorded.
  const usage = useResource("usage", generation, (signal) =>
    client.get<UsageAnswer>("usage", { since: `${3 * SHOWN_DAYS}d` }, signal),
  );
  const outdated = readUpdates()?.skills.filter(({ isOutdated }) => isOutdated).length;
  const counts = problems.value?.counts;
  const skills = overview.skills + overview.librarySkills;
  const isNew = skills === 0 || hasOnlyExamples(overview) || isUnused({ overview, usage: month.value });
  const steps = nextSteps({ overview, counts, usage: month.value, waiting, outdated });
  const left = isNew ? steps.filter(({ icon }) => icon !== "plug") : steps;
  // What follows depends on it: nothing moves when it arrives.
  if (month.isLoading && month.value === undefined) return <OverviewSkeleton />;
  // On a new machine, what is empty says nothing.
  const hasLoads = month.value === undefined || hasUsage(month.value);
  return (
    <>
      {isNew ? <GuidedStart overview={overview} /> : null}
      <Figures overview={overview} usage={usage.value} month={month.value} />
      {isNew && !hasLoads && left.length === 0 ? null : (
        <div class="overview-main">
          {isNew && !hasLoads ? null : <UsagePanel usage={month.value} />}
          <NextStepsPanel steps={left} isNew={isNew} isChecking={counts === undefined} />
        </div>
      )}
      <div class="columns">
        <div class="stack">
          <AgentsPanel overview={overview} now={now} />
          {overview.fleet === undefined ? null : <ReplicasPanel fleet={overview.fleet} />}
          <SourcesSummary overview={overview} outdated={outdated} now={now} />
        </div>
        <div class="stack">
          {skills === 0 ? null : <TurnOnePanel turnOne={overview.turnOne} />}
          {month.value === undefined ? null : <UnmatchedPanel usage={month.value} />}
        </div>
      </div>
    </>
  );
}

/** As large as what will be there. */
function OverviewSkeleton() {
  return (
    <div class="skeleton overview-skeleton" role="status">
      <span class="visually-hidden">Loading the overview …</span>
      <i />
      <i />
      <i />
    </div>
  );
}

function Figures({
  overview,
  usage,
  month,
}: {
  readonly overview: OverviewAnswer;
  readonly usage: UsageAnswer | undefined;
  readonly month: UsageAnswer | undefined;
}) {
  const { problems } = useDashboard();
  const counts = problems.value?.counts;
  const connected = overview.agents.filter((agent) => agent.isConnected).length;
  const used = trendOf(usage?.days ?? [], ({ served }) => served, SHOWN_DAYS);
  const unmatched = trendOf(usage?.days ?? [], ({ noMatch }) => noMatch, SHOWN_DAYS);
  return (
    <div class="figures">
      <Figure
        value={formatNumber(overview.skills + overview.librarySkills)}
        label="skills served"
        href={routeHash("skills")}
        note={
          hasOnlyExamples(overview)
            ? "bundled examples"
            : overview.examples > 0
              ? `${overview.examples} bundled examples`
              : overview.places === 0
                ? "none found yet"
                : `from ${count(overview.places, "place")}`
        }
      />
      <Figure
        value={formatNumber(connected)}
        label={connected === 1 ? "agent connected" : "agents connected"}
        note={
          overview.agents.length > connected ? `${overview.agents.length - connected} seen before` : "now"
        }
        tone={connected > 0 ? "good" : undefined}
      />
      <Figure
        value={counts === undefined ? "…" : formatNumber(counts.error)}
        label={counts?.error === 1 ? "error" : "errors"}
        href={routeHash("health")}
        tone={counts === undefined ? undefined : counts.error > 0 ? "bad" : "good"}
        note={counts === undefined ? "checking" : count(counts.warning, "warning")}
      />
      <Figure
        value={month === undefined ? "…" : formatNumber(month.totals.served)}
        label="loads, 30 days"
        href={routeHash("usage")}
        note={usage === undefined ? "…" : used === undefined ? "no trend yet" : `${used} in a month`}
      />
      <Figure
        value={month === undefined ? "…" : formatNumber(month.totals.noMatch)}
        label="unmatched searches"
        href={routeHash("usage")}
        note={unmatched === undefined ? "30 days" : `${unmatched} in a month`}
      />
    </div>
  );
}

function UsagePanel({ usage }: { readonly usage: UsageAnswer | undefined }) {
  const { navigation } = useDashboard();
  const key = JSON.stringify(usage?.days);
  const { days, series } = useMemo(
    () => ({
      days: (usage?.days ?? []).map(({ day }) => day),
      series: [
        { label: "Loads", values: (usage?.days ?? []).map(({ served }) => served), color: "--accent" },
      ],
    }),
    [key],
  );
  return (
    <Panel title="Loads per day" icon="usage" note="the last 30 days, UTC">
      {usage === undefined ? (
        <Loading what="usage" />
      ) : !hasUsage(usage) ? (
        <p class="muted chart-empty">
          No skill was loaded yet. Give a connected agent a task that one of the skills covers.
        </p>
      ) : (
        <DayChart
          days={days}
          series={series}
          unit="Loads"
          label={`Loads per day from ${usage.since} to ${usage.until}, ${usage.totals.served} in all`}
          onDay={(day) => navigation.go(routeHash("usage", { day }))}
        />
      )}
    </Panel>
  );
}
