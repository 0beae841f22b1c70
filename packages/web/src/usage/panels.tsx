import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { UsageAnswer } from "#server/wire";
import { count, formatNumber, milliseconds } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { Path } from "../parts/path.tsx";
import { Table } from "../parts/table.tsx";
import { routeHash, skillHash } from "../state/route.ts";

const FEW = 10;

export function NeverUsedPanel({ names }: { readonly names: readonly string[] }) {
  return (
    <NamesPanel title="Never used" names={names}>
      {names.length === 0 ? (
        "Every skill that only skills-mcp serves has been used."
      ) : (
        <>
          Nobody loaded them in this time. They take room in the lists of your agents.{" "}
          <a href={routeHash("skills", { used: "never" })}>Select some and disable them</a>
        </>
      )}
    </NamesPanel>
  );
}

export function ReadByAgentsPanel({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <NamesPanel title="Read by an agent itself" names={names}>
      Nobody loaded them through skills-mcp. They are in folders that an agent reads itself, so whether they
      are used is not known here.
    </NamesPanel>
  );
}

function NamesPanel({
  title,
  names,
  children,
}: {
  readonly title: string;
  readonly names: readonly string[];
  readonly children: ComponentChildren;
}) {
  const { shown, more } = useSome(names);
  return (
    <Panel title={title} note={count(names.length, "skill")}>
      <p class="muted">{children}</p>
      <ul class="plain dense">
        {shown.map((name) => (
          <li key={name}>
            <a href={skillHash({ name })}>{name}</a>
          </li>
        ))}
      </ul>
      {more}
    </Panel>
  );
}

export function QueryPanel({
  title,
  queries,
  hint,
}: {
  readonly title: string;
  readonly queries: UsageAnswer["ambiguous"];
  readonly hint: string;
}) {
  const { shown, more } = useSome(queries);
  return (
    <Panel title={title} note={count(queries.length, "search", "searches")}>
      {queries.length === 0 ? <p class="muted">None.</p> : <p class="muted">{hint}</p>}
      <ul class="plain">
        {shown.map(({ query, count: times }) => (
          <li key={query} class="line">
            <span class="query">{query}</span>
            <span class="muted">{count(times, "time")}</span>
            <a href={routeHash("try", { task: query })}>Try it</a>
          </li>
        ))}
      </ul>
      {more}
    </Panel>
  );
}

export function FeedbackPanel({ usage }: { readonly usage: UsageAnswer }) {
  const { shown, more } = useSome(usage.feedback);
  return (
    <Panel title="Feedback" note={count(usage.feedback.length, "skill")}>
      {shown.length === 0 ? (
        <p class="muted">
          No feedback yet. Agents send it with report_usage; you can leave it in a skill’s Usage tab.
        </p>
      ) : null}
      <ul class="plain">
        {shown.map(({ skill, useful, notUseful, comments }) => (
          <li key={skill}>
            <div class="line">
              <a href={skillHash({ name: skill })}>{skill}</a>
              <span class="badge status-ok">{formatNumber(useful)} useful</span>
              {notUseful === 0 ? null : (
                <span class="badge status-broken">{formatNumber(notUseful)} not useful</span>
              )}
            </div>
            {comments.slice(0, 3).map(({ day, text }) => (
              <p key={day + text} class="excerpt">
                “{text}” <span class="muted">{day}</span>
              </p>
            ))}
          </li>
        ))}
      </ul>
      {more}
    </Panel>
  );
}

/** From a hook's suggestion to the load. Without hooks there is no panel. */
export function SuggestionsPanel({ usage }: { readonly usage: UsageAnswer }) {
  const { shown, more } = useSome(usage.suggestions);
  if (shown.length === 0) return null;
  const hasNative = usage.suggestions.some(({ native }) => native > 0);
  return (
    <Panel title="Suggested by hooks" note={count(usage.totals.suggested, "suggestion")}>
      <p class="muted">
        A suggestion counts as loaded if the skill is loaded within 30 minutes.
        {hasNative ? " Skills that an agent reads by itself are not seen here." : ""}
      </p>
      <Table
        label="Suggested by hooks"
        texts={["Skill"]}
        numbers={["Suggested", "Loaded", "Ignored", ...(hasNative ? ["Not seen"] : [])]}
      >
        {shown.map(({ skill, suggested, loaded, ignored, native }) => (
          <tr key={skill}>
            <td>
              <a href={skillHash({ name: skill })}>{skill}</a>
            </td>
            <td class="end">{formatNumber(suggested)}</td>
            <td class="end">{formatNumber(loaded)}</td>
            <td class={ignored > loaded ? "end problem" : "end"}>{formatNumber(ignored)}</td>
            {hasNative ? <td class="end">{formatNumber(native)}</td> : null}
          </tr>
        ))}
      </Table>
      {more}
    </Panel>
  );
}

export function ScriptsPanel({ usage }: { readonly usage: UsageAnswer }) {
  const { shown, more } = useSome(usage.scripts);
  return (
    <Panel title="Script runs" note={count(usage.scripts.length, "script")}>
      {shown.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <Table label="Script runs" texts={["Script"]} numbers={["Runs", "Failures", "Median"]}>
          {shown.map(({ skill, file, runs, failures, p50Ms }) => (
            <tr key={skill + file}>
              <td>
                <a href={skillHash({ name: skill })}>{skill}</a> <Path path={file} />
              </td>
              <td class="end">{formatNumber(runs)}</td>
              <td class={failures > 0 ? "end problem" : "end"}>{formatNumber(failures)}</td>
              <td class="end">{p50Ms === undefined ? "" : milliseconds(p50Ms)}</td>
            </tr>
          ))}
        </Table>
      )}
      {more}
    </Panel>
  );
}

/** The first few items, and a button that shows more. */
export function useSome<T>(all: readonly T[]) {
  const [most, setMost] = useState(FEW);
  const left = all.length - most;
  const more =
    left <= 0 ? null : (
      <button type="button" class="small" onClick={() => setMost(most + 200)}>
        Show more ({formatNumber(left)})
      </button>
    );
  return { shown: all.slice(0, most), more };
}

/** A sparkline of daily counts. */
export function Bars({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length);
  return (
    <svg class="bars" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label={label}>
      {values.map((value, index) => {
        const height = value === 0 ? 0.6 : 1 + (value / most) * 19;
        return (
          <rect
            key={index}
            class={value === 0 ? "none" : ""}
            x={index * step}
            y={20 - height}
            width={step * 0.75}
            height={height}
          />
        );
      })}
    </svg>
  );
}
