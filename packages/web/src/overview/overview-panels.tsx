import type { OverviewAnswer, UsageAnswer } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { Badge } from "../parts/badge.tsx";
import { age, count, formatNumber } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import type { NextStep } from "./next-steps.ts";

export function NextStepsPanel({
  steps,
  isNew,
  isChecking,
}: {
  readonly steps: readonly NextStep[];
  readonly isNew: boolean;
  /** Whether it is not known yet what is wrong. */
  readonly isChecking: boolean;
}) {
  const { connect } = useDashboard();
  return (
    <Panel title="Next steps" icon="check">
      {steps.length === 0 && isChecking ? (
        <p class="muted">Checking the skills …</p>
      ) : steps.length === 0 ? (
        <p class="all-well">
          <Icon name="check" />
          {isNew ? "Nothing is wrong. The first steps are above." : "All is well. There is nothing to do."}
        </p>
      ) : (
        <ul class="plain next-steps">
          {steps.map(({ icon, tone, title, why, href }) => {
            const content = (
              <>
                <span class={`badge ${tone}`}>
                  <Icon name={icon} size={14} />
                </span>
                <span>
                  <strong>{title}</strong>
                  <span class="muted">{why}</span>
                </span>
                <Icon name="right" size={14} />
              </>
            );
            return (
              <li key={title}>
                {href === undefined ? (
                  <button type="button" class="quiet" data-item onClick={connect}>
                    {content}
                  </button>
                ) : (
                  <a href={href} data-item>
                    {content}
                  </a>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

export function AgentsPanel({ overview, now }: { readonly overview: OverviewAnswer; readonly now: number }) {
  const { connect } = useDashboard();
  const { agents, configured = [] } = overview;
  const started = configured.filter(({ isConnected }) => isConnected);
  return (
    <Panel
      title="Agents"
      icon="plug"
      note={
        agents.length === 0
          ? undefined
          : `${agents.filter(({ isConnected }) => isConnected).length} connected now`
      }
      actions={
        <button type="button" class="small" onClick={connect}>
          Connect
        </button>
      }
    >
      {agents.length === 0 ? (
        <p class="muted">No agent has connected to this server since it started.</p>
      ) : (
        <ul class="plain agents">
          {agents.map(({ client, version, title, era, caller, profile, isConnected, sessions, lastSeen }) => (
            <li key={`${client}${version}${era}${caller}${profile}`}>
              <span class={`dot ${isConnected ? "good" : ""}`} />
              <span class="who">
                <strong>{title ?? client}</strong> <span class="muted">{version}</span>
                {caller === undefined ? null : <Badge>{caller}</Badge>}
                {profile === undefined ? null : <Badge tone="accent">{profile}</Badge>}
              </span>
              <span class="muted">
                {isConnected ? (sessions > 1 ? `${sessions} sessions` : "connected") : age(lastSeen, now)}
                {` · ${era === "modern" ? "2026-07-28" : "2025-11-25 and older"}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {started.length === 0 ? null : (
        <p class="muted">
          Set up on this machine: {started.map(({ title }) => title).join(", ")}. They start a server of their
          own or connect to this one.
        </p>
      )}
    </Panel>
  );
}

/** How much of the skills a model knows before it asks for anything. */
export function TurnOnePanel({ turnOne }: Pick<OverviewAnswer, "turnOne">) {
  const most = Math.max(1, ...turnOne.map(({ tokens }) => tokens));
  return (
    <Panel
      title="What the model sees at turn 1"
      icon="model"
      actions={
        <>
          <a class="button small" href={routeHash("seen")}>
            By skill
          </a>
          <a class="button small" href={routeHash("model")}>
            Details
          </a>
        </>
      }
    >
      <ul class="plain turn-one">
        {turnOne.map(({ client, version, connection, profile, title, tokens, shown, skills, ...rest }) => (
          <li key={client}>
            <a href={routeHash("model", { client, version, connection, profile })} data-item>
              {title}
            </a>
            <span class="bar" aria-hidden="true">
              <i style={{ width: `${Math.max(2, (100 * tokens) / most)}%` }} />
            </span>
            <span class="end">~{formatNumber(tokens)} tokens</span>
            <span class="muted seen">
              {version === undefined ? "" : `${version}, `}
              {connection === "http" ? "connected here" : "starts skills-mcp"} ·{" "}
              {seenText(shown, skills, rest.complete)}
              {rest.native === 0 ? "" : ` · ${formatNumber(rest.native)} read from disk`}
              {profile === undefined ? "" : ` · profile ${profile}`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function seenText(shown: number, skills: number, complete: boolean): string {
  if (skills === 0) return "no skill in its list";
  if (complete) return `${count(skills, "skill")} in full`;
  return shown === skills
    ? `${count(skills, "skill")}, some descriptions cut`
    : `${formatNumber(shown)} of ${count(skills, "skill")}`;
}

/** Where several replicas answer: which they are, and whether they serve the same. */
export function ReplicasPanel({ fleet }: { readonly fleet: NonNullable<OverviewAnswer["fleet"]> }) {
  const { state, replica, revision, others, differ } = fleet;
  const all = [{ replica, revision, version: "this one" }, ...others];
  return (
    <Panel
      title="Replicas"
      icon="health"
      note={state === "degraded" ? "Redis is away" : differ ? "serving different skills" : "serving the same"}
    >
      <ul class="plain agents">
        {all.map((one) => (
          <li key={one.replica}>
            <span class={`dot ${one.revision === revision ? "good" : "warn"}`} />
            <span class="who">
              <strong>{one.replica}</strong> <span class="muted">{one.version}</span>
            </span>
            <span class="muted">
              revision <code>{one.revision}</code>
            </span>
          </li>
        ))}
      </ul>
      {state === "degraded" ? (
        <p class="muted">
          Redis does not answer, so the other replicas are not known. This one goes on alone.
        </p>
      ) : differ ? (
        <p class="muted">They become the same when all of them have fetched and scanned; it takes seconds.</p>
      ) : null}
    </Panel>
  );
}

const MOST_SEARCHES = 5;

export function UnmatchedPanel({ usage }: { readonly usage: UsageAnswer }) {
  return (
    <Panel
      title="Unmatched searches"
      icon="search"
      note="30 days"
      actions={
        <a class="button small" href={routeHash("usage")}>
          All
        </a>
      }
    >
      {usage.noMatch.length === 0 ? (
        <p class="muted">
          {usage.totals.searched === 0
            ? "No agent has searched for a skill yet."
            : "Every search of an agent found a skill."}
        </p>
      ) : (
        <ul class="plain dense unmatched">
          {usage.noMatch.slice(0, MOST_SEARCHES).map(({ query, count: times }) => (
            <li key={query}>
              <a href={routeHash("try", { task: query })} data-item title="Try it">
                {query}
              </a>
              <span class="muted end">{count(times, "time")}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function SourcesSummary({
  overview,
  outdated,
  now,
}: {
  readonly overview: OverviewAnswer;
  readonly outdated: number | undefined;
  readonly now: number;
}) {
  const { places, repositories } = overview;
  return (
    <Panel
      title="Sources"
      icon="sources"
      actions={
        <a class="button small" href={routeHash("sources")}>
          Manage
        </a>
      }
    >
      <ul class="plain agents">
        <li>
          <span class="dot good" />
          <span class="who">
            {places === 0 ? "No skills are served yet" : `Skills are served from ${count(places, "place")}`}
          </span>
        </li>
        {repositories.map(({ name, commit, lastSync, isFailing }) => (
          <li key={name}>
            <span class={`dot ${isFailing ? "bad" : "good"}`} />
            <span class="who">
              <strong>{name}</strong> <code class="muted">{commit?.slice(0, 7) ?? "not fetched yet"}</code>
            </span>
            <span class="muted">
              {isFailing ? "failing" : lastSync === undefined ? "" : `synced ${age(lastSync, now)}`}
            </span>
          </li>
        ))}
        <li>
          <span class={`dot ${outdated === undefined || outdated === 0 ? "" : "warn"}`} />
          <span class="who">
            {outdated === undefined
              ? "Installed skills: not checked for updates yet"
              : outdated === 0
                ? "Installed skills are up to date"
                : `${count(outdated, "update")} for installed skills`}
          </span>
        </li>
      </ul>
    </Panel>
  );
}
