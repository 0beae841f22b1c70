import { useEffect, useMemo, useState } from "preact/hooks";
import type { HealthAnswer, ProblemsAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { messageOf } from "../api/client.ts";
import { Icon } from "../icons/icon.tsx";
import { Chip } from "../parts/badge.tsx";
import { count, formatNumber } from "../parts/format.ts";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Panel } from "../parts/panel.tsx";
import { Path } from "../parts/path.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { filterProblems } from "./group-problems.ts";
import { FixButton, type Fixing, filesIn, ProblemList } from "./problem-list.tsx";
import { ServerStatus } from "./server-status.tsx";

/** Some changes send no event: a failed fetch, or a closed session. */
const POLL_MS = 10_000;

/** Everything that is wrong, in one list, and the server itself. */
export function HealthView() {
  const { client, session, generation, problems, reload, notify, navigation } = useDashboard();
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
      reload();
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  // The command palette leads here with the wish to refresh.
  const isWanted = navigation.route.params.get("refresh") === "now";
  useEffect(() => {
    if (!isWanted) return;
    navigation.change({ refresh: undefined }, { replace: true });
    void refresh();
  }, [isWanted]);

  return (
    <div class="page">
      <PageHeader
        title="Health"
        actions={
          mayChange(session) ? (
            <button type="button" disabled={isBusy} onClick={() => void refresh()}>
              <Icon name="refresh" size={14} />
              {isBusy ? "Refreshing …" : "Refresh now"}
            </button>
          ) : undefined
        }
      >
        What <code>doctor</code>, <code>validate</code> and <code>audit</code> find, in one list.
      </PageHeader>
      <ResourceView resource={problems} what="findings">
        {(value) => <Findings answer={value} />}
      </ResourceView>
      {/* Below the findings: it would move when they arrive. */}
      {health.value === undefined || (problems.value === undefined && problems.error === undefined) ? null : (
        <>
          <ServerStatus health={health.value} now={now} />
          <Shadowed shadowed={health.value.shadowed} />
        </>
      )}
    </div>
  );
}

const SEVERITIES = [
  ["error", "Errors"],
  ["warning", "Warnings"],
  ["advice", "Advice"],
] as const;
const CHECKS = ["doctor", "validate", "audit"] as const;

function Findings({ answer: { counts, list } }: { readonly answer: ProblemsAnswer }) {
  const { navigation } = useDashboard();
  const { params } = navigation.route;
  const filter = {
    severity: params.get("severity"),
    check: params.get("check"),
    words: params.get("q") ?? "",
  };
  const shown = filterProblems(list, filter);
  const by = params.get("by") === "skill" ? "skill" : "rule";
  const fixing = useFixing();
  const fixable = filesIn(shown, fixing);
  const choose = (name: string, value: string): void =>
    navigation.change({ [name]: params.get(name) === value ? undefined : value }, { replace: true });
  if (list.length === 0) {
    return (
      <Panel title="Findings">
        <Empty title="No findings" icon="check">
          <p>Every skill file can be read, follows the rules and passes the audit.</p>
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel
      title="Findings"
      actions={fixable.length > 1 ? <FixButton files={fixable} fixing={fixing} /> : undefined}
      note={
        shown.length === list.length
          ? `${count(counts.error, "error")}, ${count(counts.warning, "warning")}, ${formatNumber(counts.advice)} advice`
          : `${formatNumber(shown.length)} of ${formatNumber(list.length)} shown`
      }
    >
      <div class="toolbar">
        <input
          data-search
          type="search"
          aria-label="Filter findings"
          placeholder="Filter by file, rule or word"
          autocomplete="off"
          spellcheck={false}
          value={filter.words}
          onInput={(event) => navigation.change({ q: event.currentTarget.value }, { replace: true })}
        />
        <div class="chips" role="group" aria-label="Severity">
          {SEVERITIES.map(([severity, label]) => (
            <Chip
              key={severity}
              isOn={filter.severity === severity}
              onClick={() => choose("severity", severity)}
            >
              {label} {formatNumber(counts[severity])}
            </Chip>
          ))}
        </div>
        <div class="chips" role="group" aria-label="Group by">
          <Chip isOn={by === "skill"} onClick={() => choose("by", "skill")}>
            by skill
          </Chip>
        </div>
        <div class="chips" role="group" aria-label="Found by">
          {CHECKS.map((check) => (
            <Chip key={check} isOn={filter.check === check} onClick={() => choose("check", check)}>
              {check} {formatNumber(list.filter((problem) => problem.check === check).length)}
            </Chip>
          ))}
        </div>
      </div>
      {shown.length === 0 ? (
        <Empty title="No finding matches">
          <p>Try fewer words, or turn a filter off.</p>
        </Empty>
      ) : (
        <ProblemList list={shown} by={by} fixing={fixing} />
      )}
    </Panel>
  );
}

/** What can be corrected without guessing, with a way back. */
function useFixing(): Fixing | undefined {
  const { client, session, generation, notify, reload } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  const mayFix = mayChange(session);
  const fixes = useResource(mayFix ? "fixes" : undefined, generation, (signal) =>
    client.get<ProblemsAnswer>("problems", { fixes: "1" }, signal),
  );
  const files = useMemo(() => new Set(fixes.value?.fixable), [fixes.value]);
  if (!mayFix) return undefined;
  const fix = async (wanted: readonly string[]): Promise<void> => {
    setBusy(true);
    try {
      await client.post("skills/fix", { files: wanted });
      notify(`Corrected ${count(wanted.length, "file")}.`, {
        command: commandText(["validate", "--fix", ...wanted]),
        undo: async () => {
          await client.post("skills/fix/undo", { files: wanted });
          reload();
        },
      });
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setBusy(false);
      reload();
    }
  };
  return { files, isBusy, fix: (wanted) => void fix(wanted) };
}

function Shadowed({ shadowed }: Pick<HealthAnswer, "shadowed">) {
  if (shadowed.length === 0) return null;
  return (
    <Panel title="Shadowed skills" note={count(shadowed.length, "skill")}>
      <ul class="plain">
        {shadowed.map(({ name, path, shadowedBy }) => (
          <li key={path}>
            <a href={skillHash({ name })} data-item>
              {name}
            </a>{" "}
            <span class="muted">served from</span> <Path path={shadowedBy} />{" "}
            <span class="muted">shadows</span> <Path path={path} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
