import { useEffect, useState } from "preact/hooks";
import type { ActivityAnswer } from "#server/wire";
import { Chip } from "../parts/badge.tsx";
import { count, milliseconds } from "../parts/format.ts";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { type Call, filterCalls, KINDS, type Kind, OUTCOMES } from "./filter-calls.ts";

/** Calls send no event to pages: each would fetch everything again. */
const POLL_MS = 2_000;
const MOST_KEPT = 1_000;
const MOST_ROWS = 200;

/** What agents call, while they do. */
export function ActivityView() {
  const { session, navigation, connect } = useDashboard();
  const { params } = navigation.route;
  const kind = Object.keys(KINDS).find((each): each is Kind => each === params.get("kind")) ?? "all";
  const typed = params.get("q") ?? "";
  const [isPaused, setPaused] = useState(false);
  const tail = useTail(isPaused);
  const change = (changes: Readonly<Record<string, string>>): void =>
    navigation.change(changes, { replace: true });
  return (
    <div class="page">
      <PageHeader
        title="Activity"
        actions={
          <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? "Continue" : "Pause"}
          </button>
        }
      >
        {session?.caller !== undefined && !mayChange(session)
          ? "Your own calls through this server since it started."
          : "Calls through this server since it started. Agents that start a server of their own are not here."}
      </PageHeader>
      <div class="activity-filter">
        <input
          data-search
          type="search"
          aria-label="Filter calls"
          placeholder="Agent, tool, skill or outcome"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
        {Object.entries(KINDS).map(([each, label]) => (
          <Chip
            key={each}
            isOn={each === kind && each !== "all"}
            onClick={() => change({ kind: each === kind || each === "all" ? "" : each })}
          >
            {label}
          </Chip>
        ))}
      </div>
      <ResourceView resource={tail} what="the last calls">
        {(calls) =>
          calls.length === 0 ? (
            <Empty title="No calls yet" icon="clock">
              <p>Connect an agent, and give it a task: its calls appear here.</p>
              <button type="button" onClick={connect}>
                Connect an agent
              </button>
            </Empty>
          ) : (
            <Calls calls={filterCalls(calls, kind, typed)} hasCallers={calls.some(({ caller }) => caller)} />
          )
        }
      </ResourceView>
    </div>
  );
}

/** The calls that are known, and those that were made since. */
function useTail(isPaused: boolean) {
  const { client } = useDashboard();
  const [polls, setPolls] = useState(0);
  const [known, setKnown] = useState<ActivityAnswer>();
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setInterval(() => setPolls((old) => old + 1), POLL_MS);
    return () => clearInterval(timer);
  }, [isPaused]);
  const newest = useResource("activity", polls, async (signal) => {
    const after = known === undefined ? undefined : String(known.last);
    const answer = await client.get<ActivityAnswer>("activity", { after }, signal);
    // A server that was started again counts from 1.
    setKnown((old) => ({
      last: answer.last,
      calls: [...(old?.calls ?? []), ...answer.calls].slice(-MOST_KEPT),
    }));
    return answer;
  });
  return { ...newest, value: known?.calls };
}

function Calls({ calls, hasCallers }: { readonly calls: readonly Call[]; readonly hasCallers: boolean }) {
  if (calls.length === 0)
    return (
      <Empty title="No such call" icon="search">
        <p>Try fewer words, or another kind.</p>
      </Empty>
    );
  const shown = calls.slice(0, MOST_ROWS);
  return (
    <div class="panel">
      <div class="scroll" tabIndex={0} role="group" aria-label="Calls">
        <table class="calls">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Agent</th>
              {hasCallers ? <th scope="col">Caller</th> : null}
              <th scope="col">Call</th>
              <th scope="col">Skill</th>
              <th scope="col">Outcome</th>
              <th scope="col" class="end">
                Took
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((call) => (
              <tr key={`${call.at} ${call.number}`}>
                <td>
                  <time dateTime={call.at}>{timeOf(call.at)}</time>
                </td>
                <td>
                  {call.agent ?? "unknown"} <span class="muted">{call.version}</span>
                </td>
                {hasCallers ? <td>{call.caller}</td> : null}
                <td>
                  <code>{call.what}</code>
                </td>
                <td>
                  {call.skill === undefined ? null : (
                    <a href={skillHash({ name: call.skill })}>{call.skill}</a>
                  )}
                </td>
                <td>
                  <span class={`badge ${call.outcome === "ok" ? "good" : "bad"}`}>
                    {OUTCOMES[call.outcome]}
                    {call.code === undefined ? "" : ` ${call.code}`}
                  </span>
                </td>
                <td class="end">{milliseconds(call.ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {calls.length > shown.length ? (
        <p class="muted">{count(calls.length - shown.length, "older call")} not shown: filter them.</p>
      ) : null}
    </div>
  );
}

function timeOf(at: string): string {
  return new Date(at).toLocaleTimeString("en-GB");
}
