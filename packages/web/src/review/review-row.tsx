import { useState } from "preact/hooks";
import type { ReviewDetailAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { DiffView } from "../parts/diff-view.tsx";
import { count } from "../parts/format.ts";
import { ResourceView } from "../parts/notice.tsx";
import { Path } from "../parts/path.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import type { Decide } from "./use-decisions.ts";
import { isWaiting, type ReviewItem } from "./waiting.ts";

const STATES: Readonly<Record<ReviewItem["state"], { readonly label: string; readonly badge: string }>> = {
  new: { label: "New", badge: "accent" },
  changed: { label: "Changed", badge: "status-warning" },
  approved: { label: "Approved", badge: "status-ok" },
  rejected: { label: "Rejected", badge: "" },
  blocked: { label: "Blocked", badge: "status-broken" },
};

interface RowProps {
  readonly skill: ReviewItem;
  readonly version: number;
  readonly isBusy: boolean;
  readonly decide: Decide;
}

/** One line; open, everything that a decision needs. */
export function ReviewRow({
  skill,
  version,
  selection,
  isBusy,
  decide,
}: RowProps & {
  readonly selection?: { readonly isSelected: boolean; readonly onToggle: () => void };
}) {
  const { name, state, description, findings } = skill;
  const [isOpen, setOpen] = useState(false);
  const { label, badge } = STATES[state];
  const [worst] = findings;
  return (
    <li class="review-row">
      {selection === undefined ? null : (
        <label class="check">
          <input type="checkbox" checked={selection.isSelected} onChange={selection.onToggle} />
          <span class="visually-hidden">Select {name}</span>
        </label>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary
          data-item
          title={description}
          onKeyDown={(event) => {
            if (event.key === "x") selection?.onToggle();
          }}
        >
          <strong>{name}</strong>
          <span class={`badge ${badge}`}>{label}</span>
          {worst === undefined ? null : (
            <span class={`badge ${isGrave(worst) ? "bad" : "warn"}`}>
              {worst.severity}
              {findings.length > 1 ? ` +${findings.length - 1}` : ""}
            </span>
          )}
          <span class="muted">{description}</span>
        </summary>
        {isOpen ? <ReviewDetail skill={skill} version={version} isBusy={isBusy} decide={decide} /> : null}
      </details>
    </li>
  );
}

function isGrave({ severity }: ReviewItem["findings"][number]): boolean {
  return severity === "high" || severity === "critical";
}

const MEANINGS: Readonly<Record<ReviewItem["state"], string>> = {
  new: "New: not served until somebody approves it.",
  changed: "Changed: agents get the version that was approved.",
  approved: "Approved: agents get what its source has.",
  rejected: "Rejected: agents do not get what its source has now. It waits again when it changes.",
  blocked: "Blocked by a rule: never served.",
};

function ReviewDetail({ skill, version, isBusy, decide }: RowProps) {
  const { name, state, source, rule, served, findings, problem, earlier } = skill;
  return (
    <div class="review-detail">
      <p>{MEANINGS[state]}</p>
      <dl class="facts">
        <Fact title="Source">
          <Path path={source} />
        </Fact>
        <Fact title="Rule">
          <code>{rule}</code>
        </Fact>
        {served === undefined ? null : (
          <Fact title="Served">
            <code class="path" title={served.digest}>
              {served.digest.slice(0, 19)}
            </code>{" "}
            <span class="muted">
              approved {served.at.slice(0, 16).replace("T", " ")} by {served.by}
            </span>
          </Fact>
        )}
      </dl>
      {problem === undefined ? null : (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
      {findings.length === 0 ? null : (
        <ul class="plain">
          {findings.map((finding) => (
            <li key={`${finding.rule} ${finding.file} ${finding.line ?? ""}`}>
              <span class={`badge ${isGrave(finding) ? "bad" : "warn"}`}>{finding.severity}</span>{" "}
              {finding.rule}{" "}
              <code class="path">
                {finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`}
              </code>
              <p>{finding.message}</p>
            </li>
          ))}
        </ul>
      )}
      {state === "blocked" || state === "approved" ? null : (
        <Changes skill={skill} version={version} isBusy={isBusy} decide={decide} />
      )}
      {isWaiting(skill) || served === undefined ? null : (
        <div class="line">
          <button type="button" disabled={isBusy} onClick={() => void decide("revert", [skill])}>
            {earlier === 0 ? `Withdraw ${name}` : `Roll back ${name}`}
          </button>
          <TerminalLine command={commandText(["approve", name, "--revert"])} />
          <span class="muted">
            {earlier === 0
              ? "No version was approved before: it will not be served."
              : `Serves the version that was approved before; ${count(earlier, "earlier version")}.`}
          </span>
        </div>
      )}
    </div>
  );
}

/** What changed, and the decision about exactly that. */
function Changes({ skill, version, isBusy, decide }: RowProps) {
  const { client } = useDashboard();
  const { name, served, state } = skill;
  const detail = useResource(`review ${name}`, version, (signal) =>
    client.get<ReviewDetailAnswer>("review/skill", { name }, signal),
  );
  return (
    <ResourceView resource={detail} what="changes">
      {(shown) => (
        <>
          <DiffView diff={shown.diff} label={`Changes of ${name}`} />
          {shown.digest === undefined ? null : (
            <div class="line">
              <button
                type="button"
                class="primary"
                disabled={isBusy}
                onClick={() => void decide("approve", [shown])}
              >
                Approve {name}
              </button>
              {state === "rejected" ? null : (
                <button type="button" disabled={isBusy} onClick={() => void decide("reject", [shown])}>
                  {served === undefined ? `Reject ${name}` : "Keep current version"}
                </button>
              )}
              <TerminalLine command={commandText(["approve", name])} />
            </div>
          )}
        </>
      )}
    </ResourceView>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
