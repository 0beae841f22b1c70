import { useEffect, useMemo, useState } from "preact/hooks";
import type { UsageAnswer } from "#server/wire";
import { hasUsage } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { DayChart } from "../parts/chart.tsx";
import { formatNumber } from "../parts/format.ts";
import { Empty, Loading, ResourceView } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Figure, Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import { FunnelPanel, GroupPanel, SkillFunnelPanel } from "./funnel-panels.tsx";
import {
  FeedbackPanel,
  NeverUsedPanel,
  QueryPanel,
  ReadByAgentsPanel,
  ScriptsPanel,
  SuggestionsPanel,
} from "./panels.tsx";
import { UnmatchedPanel } from "./unmatched-panel.tsx";
import { usageCsv } from "./usage-csv.ts";

const SPANS = [
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
  ["90d", "Last 90 days"],
  ["365d", "Last year"],
] as const;

/** Usage sends no events, so the history is polled. */
const POLL_MS = 10_000;

export function UsageView() {
  const { client, navigation, generation, session } = useDashboard();
  const { params } = navigation.route;
  const since = params.get("since") ?? "30d";
  const day = params.get("day");
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setBeat((old) => old + 1), POLL_MS);
    return () => clearInterval(timer);
  }, []);

  const usage = useResource(since, `${generation} ${beat}`, (signal) =>
    client.get<UsageAnswer>("usage", { since }, signal),
  );
  const ofDay = useResource(day ?? undefined, `${generation} ${beat}`, (signal) =>
    client.get<UsageAnswer>("usage", { since: day ?? "", until: day ?? "" }, signal),
  );

  return (
    <div class="page">
      <PageHeader
        title="Usage"
        actions={
          <>
            {usage.value === undefined || !hasUsage(usage.value) ? null : <CsvButton usage={usage.value} />}
            <label class="inline">
              <span class="visually-hidden">Period</span>
              <select
                value={since}
                onChange={(event) => navigation.change({ since: event.currentTarget.value, day: undefined })}
              >
                {SPANS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          </>
        }
      >
        What agents loaded, searched for and did not find. The history stays on this machine.
      </PageHeader>
      {session === undefined || session.needsKey === true || mayChange(session) ? null : (
        <p class="muted">Your own usage. Admins can see everyone's.</p>
      )}
      <ResourceView resource={usage} what="the history">
        {(value) =>
          hasUsage(value) ? (
            <>
              <Charts usage={value} day={day} onDay={(chosen) => navigation.change({ day: chosen })} />
              {day === null ? (
                <Details usage={value} />
              ) : (
                <>
                  <p class="day-note" role="status">
                    Showing <strong>{day}</strong>{" "}
                    <button type="button" class="small" onClick={() => navigation.change({ day: undefined })}>
                      All days
                    </button>
                  </p>
                  {ofDay.value === undefined ? <Loading what={day} /> : <Details usage={ofDay.value} />}
                </>
              )}
            </>
          ) : (
            <NothingUsed />
          )
        }
      </ResourceView>
    </div>
  );
}

function CsvButton({ usage }: { readonly usage: UsageAnswer }) {
  const save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([usageCsv(usage)], { type: "text/csv" }));
    link.download = `skills-mcp-usage-${usage.since}-${usage.until}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <button type="button" onClick={save}>
      <Icon name="download" size={14} />
      CSV
    </button>
  );
}

function NothingUsed() {
  const { connect } = useDashboard();
  return (
    <Empty title="No usage yet" icon="usage">
      <p>
        Connect an agent and give it a task that one of your skills covers. The skills that it loads, those
        that nobody loads and searches with no match are counted here.
      </p>
      <button type="button" onClick={connect}>
        <Icon name="plug" size={14} />
        Connect an agent
      </button>
    </Empty>
  );
}

interface DayProps {
  readonly usage: UsageAnswer;
  /** The selected day. */
  readonly day: string | null;
  readonly onDay: (day: string) => void;
}

function Charts({ usage, day, onDay }: DayProps) {
  const { totals } = usage;
  // A new object with the same numbers must not redraw the charts.
  const key = JSON.stringify(usage.days);
  const { days, served, missing } = useMemo(
    () => ({
      days: usage.days.map((each) => each.day),
      served: [{ label: "Loads", values: usage.days.map((each) => each.served), color: "--accent" }],
      missing: [
        {
          label: "Ambiguous",
          values: usage.days.map((each) => each.ambiguous),
          heights: usage.days.map((each) => each.noMatch + each.ambiguous),
          color: "--kind-2",
        },
        { label: "No match", values: usage.days.map((each) => each.noMatch), color: "--kind-3" },
      ],
    }),
    [key],
  );
  return (
    <>
      <div class="figures">
        <Figure value={formatNumber(totals.served)} label="loads" />
        <Figure
          value={formatNumber(totals.noMatch)}
          label="unmatched searches"
          tone={totals.noMatch > 0 ? "warn" : "good"}
        />
        <Figure
          value={formatNumber(totals.ambiguous)}
          label="ambiguous searches"
          tone={totals.ambiguous > 0 ? "warn" : "good"}
        />
        <Figure value={formatNumber(totals.assets)} label="files fetched" />
        <Figure value={formatNumber(totals.scripts)} label="scripts run" />
        <Figure
          value={formatNumber(totals.errors)}
          label="failures"
          tone={totals.errors > 0 ? "bad" : "good"}
        />
      </div>
      <div class="columns">
        <Panel title="Loads per day">
          <DayChart
            days={days}
            series={served}
            unit="Loads"
            label={`${totals.served} loads from ${usage.since} to ${usage.until}`}
            onDay={onDay}
          />
        </Panel>
        <Panel title="Unmatched searches per day">
          <DayChart
            days={days}
            series={missing}
            unit="Searches"
            label={`${totals.noMatch} searches with no match and ${totals.ambiguous} ambiguous from ${usage.since} to ${usage.until}`}
            onDay={onDay}
          />
        </Panel>
      </div>
      <DayTable usage={usage} day={day} onDay={onDay} />
    </>
  );
}

/** The charts as a table, for keyboards and screen readers. */
function DayTable({ usage, day, onDay }: DayProps) {
  const busy = usage.days.filter(({ events }) => events > 0).toReversed();
  return (
    <details class="day-table">
      <summary>Show as a table</summary>
      <Table label="Days" texts={["Day"]} numbers={["Loads", "No match", "Ambiguous", "Failures"]}>
        {busy.map((each) => (
          <tr key={each.day}>
            <td>
              <button
                type="button"
                class="link"
                aria-current={each.day === day}
                onClick={() => onDay(each.day)}
              >
                {each.day}
              </button>
            </td>
            <td class="end">{formatNumber(each.served)}</td>
            <td class="end">{formatNumber(each.noMatch)}</td>
            <td class="end">{formatNumber(each.ambiguous)}</td>
            <td class="end">{formatNumber(each.errors)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

function Details({ usage }: { readonly usage: UsageAnswer }) {
  return (
    <>
      <FunnelPanel usage={usage} />
      <UnmatchedPanel since={usage.since} until={usage.until} />
      <div class="columns">
        <SkillFunnelPanel usage={usage} />
        <NeverUsedPanel names={usage.neverUsed} />
        <ReadByAgentsPanel names={usage.readByAgents} />
        <GroupPanel title="Clients" one="client" groups={usage.clients} days={usage.days} />
        <GroupPanel title="Callers" one="caller" groups={usage.callers} days={usage.days} />
        <SuggestionsPanel usage={usage} />
        <QueryPanel
          title="Ambiguous searches"
          queries={usage.ambiguous}
          hint="Several skills fit these tasks equally well. Make their keywords or descriptions more specific."
        />
        <FeedbackPanel usage={usage} />
        <ScriptsPanel usage={usage} />
      </div>
    </>
  );
}
