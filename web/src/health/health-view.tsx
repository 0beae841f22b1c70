import { useEffect, useState } from "preact/hooks";
import type { HealthAnswer } from "../../../src/http/api/wire.ts";
import { ApiError } from "../api/client.ts";
import { count, formatNumber } from "../parts/format.ts";
import { ResourceView } from "../parts/notice.tsx";
import { Figure, Panel } from "../parts/panel.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { Diagnostics } from "./diagnostics.tsx";
import { FindingsPanel } from "./findings.tsx";
import { ServerStatus } from "./server-status.tsx";
import { SourcesPanel } from "./sources.tsx";

/** Some changes send no event: a failed fetch, or a closed session. */
const POLL_MS = 10_000;

export function HealthView() {
  const { client, session, generation, notify } = useDashboard();
  const [now, setNow] = useState(() => Date.now());
  const [isBusy, setBusy] = useState(false);
  const health = useResource("health", `${generation} ${now}`, (signal) =>
    client.get<HealthAnswer>("health", {}, signal),
  );
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), POLL_MS);
    return () => clearInterval(timer);
  }, []);

  const refresh = async (): Promise<void> => {
    setBusy(true);
    try {
      const { success, message } = await client.post<{
        readonly success: boolean;
        readonly message?: string;
      }>("refresh");
      notify(success ? "Refreshed." : (message ?? "The refresh failed."));
      setNow(Date.now());
    } catch (error) {
      notify(error instanceof ApiError ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div class="page">
      <div class="line">
        <h1>Health</h1>
        {mayChange(session) ? (
          <button type="button" disabled={isBusy} onClick={() => void refresh()}>
            {isBusy ? "Refreshing …" : "Refresh now"}
          </button>
        ) : null}
      </div>
      <ResourceView resource={health} what="health">
        {(value) => <HealthPanels health={value} now={now} />}
      </ResourceView>
    </div>
  );
}

function HealthPanels({ health, now }: { readonly health: HealthAnswer; readonly now: number }) {
  const errors = health.diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = health.diagnostics.length - errors;
  const failing = health.git.filter(({ failure }) => failure !== undefined).length;
  return (
    <>
      <div class="figures">
        <Figure value={formatNumber(health.skills)} label="skills served" />
        {health.librarySkills === 0 ? null : (
          <Figure value={formatNumber(health.librarySkills)} label="library skills" />
        )}
        <Figure
          value={formatNumber(errors)}
          label={errors === 1 ? "error" : "errors"}
          tone={errors > 0 ? "bad" : "good"}
        />
        <Figure
          value={formatNumber(warnings)}
          label={warnings === 1 ? "warning" : "warnings"}
          tone={warnings > 0 ? "warn" : "good"}
        />
        {health.git.length === 0 ? null : (
          <Figure
            value={`${health.git.length - failing} / ${health.git.length}`}
            label="repositories up to date"
            tone={failing > 0 ? "bad" : "good"}
          />
        )}
      </div>
      <Diagnostics diagnostics={health.diagnostics} />
      <FindingsPanel />
      <SourcesPanel health={health} now={now} />
      <ServerStatus health={health} now={now} />
      {health.shadowed.length === 0 ? null : (
        <Panel title="Shadowed skills" note={count(health.shadowed.length, "skill")}>
          <ul class="plain">
            {health.shadowed.map(({ name, path, shadowedBy }) => (
              <li key={path}>
                <a href={skillHash({ name })}>{name}</a> <span class="muted">served from</span>{" "}
                <code class="path">{shadowedBy}</code> <span class="muted">shadows</span>{" "}
                <code class="path">{path}</code>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
