import { useState } from "preact/hooks";
import type { ReviewAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { count } from "../parts/format.ts";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Panel } from "../parts/panel.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import { ReviewRow } from "./review-row.tsx";
import { type Decide, useDecisions } from "./use-decisions.ts";
import { isWaiting, type ReviewItem } from "./waiting.ts";

/** Skills that are served only once somebody has approved them. */
export function ReviewView() {
  const { client, session, generation } = useDashboard();
  const isAllowed = mayChange(session);
  const review = useResource(isAllowed ? "review" : undefined, generation, (signal) =>
    client.get<ReviewAnswer>("review", {}, signal),
  );
  return (
    <div class="page">
      <PageHeader title="Review">New and changed skills, before agents see them.</PageHeader>
      {isAllowed || session === undefined ? (
        <ResourceView resource={review} what="skills to review">
          {({ skills }) => <Lists skills={skills} version={generation} />}
        </ResourceView>
      ) : (
        <Empty title="Somebody else decides here" icon="lock">
          <p>
            To approve skills you need{" "}
            {session.needsKey === true ? "the address that serve printed" : "the scope skills:admin"}.
          </p>
        </Empty>
      )}
    </div>
  );
}

/** Beyond these the page would be slow, and nobody reads that far at once. */
const MOST_ROWS = 200;

function Lists({ skills, version }: { readonly skills: readonly ReviewItem[]; readonly version: number }) {
  const waiting = skills.filter(isWaiting);
  const decided = skills.filter((skill) => !isWaiting(skill));
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const selected = waiting.filter(({ name }) => names.has(name));
  const { isBusy, decide } = useDecisions(() => setNames(new Set()));
  const toggle = (name: string): void =>
    setNames((old) => new Set(old.has(name) ? [...old].filter((each) => each !== name) : [...old, name]));
  const isAll = selected.length === waiting.length;
  const shown = waiting.slice(0, MOST_ROWS);
  return (
    <>
      <Panel title="Waiting for approval" note={count(waiting.length, "skill")}>
        {waiting.length === 0 ? (
          <Empty title="Nothing waits for approval">
            <p>
              New and changed skills of the sources under <code>review</code> in{" "}
              <code>~/.skills-mcp/trust.yaml</code> appear here before agents see them.
            </p>
          </Empty>
        ) : (
          <>
            <div class="review-bar">
              <label>
                <input
                  type="checkbox"
                  checked={isAll}
                  onChange={() => setNames(new Set(isAll ? [] : waiting.map(({ name }) => name)))}
                />
                Select all
              </label>
              <DecisionButtons skills={selected} isAll={isAll} isBusy={isBusy} decide={decide} />
            </div>
            <ul class="plain review-list">
              {shown.map((skill) => (
                <ReviewRow
                  key={skill.name}
                  skill={skill}
                  version={version}
                  selection={{ isSelected: names.has(skill.name), onToggle: () => toggle(skill.name) }}
                  isBusy={isBusy}
                  decide={decide}
                />
              ))}
            </ul>
            {waiting.length > shown.length ? (
              <p class="muted">
                {count(waiting.length - shown.length, "more skill")}: they appear when these are decided.
              </p>
            ) : null}
          </>
        )}
      </Panel>
      {decided.length === 0 ? null : (
        <details class="panel history">
          <summary>
            <h2>Decided</h2> <span class="muted">{count(decided.length, "skill")}</span>
          </summary>
          <ul class="plain review-list">
            {decided.map((skill) => (
              <ReviewRow key={skill.name} skill={skill} version={version} isBusy={isBusy} decide={decide} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** What can be decided about the skills that are selected, and the command that does the same. */
function DecisionButtons({
  skills,
  isAll,
  isBusy,
  decide,
}: {
  readonly skills: readonly ReviewItem[];
  readonly isAll: boolean;
  readonly isBusy: boolean;
  readonly decide: Decide;
}) {
  const named = isAll ? ["--all", "--yes"] : skills.map(({ name }) => name);
  const isDisabled = isBusy || skills.length === 0;
  const number = skills.length === 0 ? "" : ` ${skills.length}`;
  const hasServed = skills.some(({ served }) => served !== undefined);
  const hasNew = skills.some(({ served }) => served === undefined);
  const reject = !hasServed ? "Reject" : hasNew ? "Reject or keep current" : "Keep current version";
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={isDisabled}
        onClick={() => void decide("approve", skills)}
      >
        Approve{number}
      </button>
      <button type="button" disabled={isDisabled} onClick={() => void decide("reject", skills)}>
        {reject}
        {number}
      </button>
      {skills.length === 0 ? null : <TerminalLine command={commandText(["approve", ...named])} />}
    </>
  );
}
