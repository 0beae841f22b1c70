import { useState } from "preact/hooks";
import type { PlanAnswer, SourcesAnswer, UpdatesAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { messageOf } from "../api/client.ts";
import { Icon } from "../icons/icon.tsx";
import { Badge } from "../parts/badge.tsx";
import { age, count } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { Path } from "../parts/path.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { PlanView } from "./plan-view.tsx";
import { useUndo } from "./use-undo.ts";

type InstalledSkill = SourcesAnswer["installed"][number];

const STATES: Readonly<
  Record<InstalledSkill["state"], { readonly label: string; readonly tone?: "good" | "warn" | "bad" }>
> = {
  "as-locked": { label: "as locked", tone: "good" },
  disabled: { label: "disabled" },
  edited: { label: "edited", tone: "warn" },
  missing: { label: "missing", tone: "bad" },
  unlinked: { label: "not in an agent's folder", tone: "warn" },
  "not-a-folder": { label: "not a folder", tone: "bad" },
  "unknown-origin": { label: "not in the lock" },
};

/** Skills that were installed from a source, and what became of them. */
export function InstalledPanel({
  sources: { installed, undo },
  updates,
  now,
}: {
  readonly sources: SourcesAnswer;
  readonly updates: UpdatesAnswer | undefined;
  readonly now: number;
}) {
  const takeBack = useUndo();
  const locked = installed.filter(({ state }) => state !== "unknown-origin");
  const others = installed.filter(({ state }) => state === "unknown-origin");
  const newest = (skill: InstalledSkill) =>
    updates?.skills.find(({ name, scope }) => name === skill.name && scope === skill.scope);
  return (
    <Panel
      title="Installed skills"
      icon="download"
      note={count(locked.length, "skill")}
      actions={
        undo === undefined ? undefined : (
          <button
            type="button"
            class="small"
            title={`Takes back the last change: ${undo.names.join(", ")}`}
            onClick={() => void takeBack(undo.names)}
          >
            <Icon name="undo" size={13} />
            Undo the last change
          </button>
        )
      }
    >
      {locked.length === 0 ? (
        <p class="muted">
          No skills installed yet. What <code>skills-mcp add</code> installs is listed here with its source,
          commit and updates.
        </p>
      ) : (
        <ul class="plain source-list">
          {locked.map((skill) => (
            <Installed key={`${skill.scope} ${skill.name}`} skill={skill} newest={newest(skill)} now={now} />
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <details>
          <summary>{count(others.length, "skill")} beside them are not in a lock</summary>
          <ul class="plain dense">
            {others.map(({ name, folder, source }) => (
              <li key={folder}>
                {name} <span class="muted">{source}</span> <Path path={folder} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

function Installed({
  skill,
  newest,
  now,
}: {
  readonly skill: InstalledSkill;
  readonly newest: UpdatesAnswer["skills"][number] | undefined;
  readonly now: number;
}) {
  const { session } = useDashboard();
  const { name, scope, state, source, current, changedAt, files = [] } = skill;
  const { label, tone } = STATES[state];
  // What was just updated is not outdated, whatever the last check said.
  const isOutdated = newest?.isOutdated === true && newest.newest !== current;
  return (
    <li>
      <div class="line">
        <strong>{name}</strong>
        <Badge {...(tone === undefined ? {} : { tone })}>{label}</Badge>
        {isOutdated ? <Badge tone="accent">update available</Badge> : null}
        {newest !== undefined && !isOutdated && newest.problem === undefined ? (
          <Badge>up to date</Badge>
        ) : null}
        <span class="muted">
          {scope === "user" ? "for the user" : "in the project"}
          {changedAt === undefined ? "" : `, changed ${age(changedAt, now)}`}
        </span>
      </div>
      <p class="muted">
        <span class="path">{source}</span>
      </p>
      {files.length === 0 ? null : <p class="muted">Edited: {files.join(", ")}</p>}
      {newest?.problem === undefined ? null : <p class="muted">{newest.problem}</p>}
      {mayChange(session) && (isOutdated || state === "missing" || state === "edited") ? (
        <Update skill={skill} />
      ) : null}
    </li>
  );
}

/** Shows what an update changes, and makes it. */
function Update({ skill: { name, scope } }: { readonly skill: InstalledSkill }) {
  const { client, notify, reload } = useDashboard();
  const takeBack = useUndo();
  const [plan, setPlan] = useState<PlanAnswer>();
  const [isBusy, setBusy] = useState(false);
  const ask = async (dryRun: boolean): Promise<void> => {
    setBusy(true);
    try {
      const seen = Object.fromEntries(
        (plan?.plan ?? []).flatMap(({ name: of, commit }) => (commit === undefined ? [] : [[of, commit]])),
      );
      const answer = await client.post<PlanAnswer>("sources/update", {
        ...{ scope, names: [name], dryRun },
        ...(dryRun ? {} : { seen }),
      });
      if (dryRun) return setPlan(answer);
      const [failed] = answer.failed;
      if (failed !== undefined) return notify(failed.message);
      notify(`Updated ${name}.`, { undo: () => takeBack([name]) });
      setPlan(undefined);
      reload();
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setBusy(false);
    }
    return undefined;
  };
  const isChange = plan?.plan.some(({ action }) => action === "update" || action === "add") === true;
  return (
    <div class="source-change">
      {plan === undefined ? (
        <button type="button" class="small" disabled={isBusy} data-item onClick={() => void ask(true)}>
          {isBusy ? "Fetching …" : `Show the changes of ${name}`}
        </button>
      ) : (
        <>
          <PlanView plan={plan} />
          <div class="line">
            {isChange ? (
              <button type="button" class="primary" disabled={isBusy} onClick={() => void ask(false)}>
                {isBusy ? "Updating …" : `Update ${name}`}
              </button>
            ) : null}
            <button type="button" class="quiet" onClick={() => setPlan(undefined)}>
              Close
            </button>
          </div>
        </>
      )}
      <TerminalLine command={commandText(["update", ...(scope === "user" ? ["-g"] : []), name])} />
    </div>
  );
}
