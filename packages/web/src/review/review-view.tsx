import { useState } from "preact/hooks";
import type { ReviewAnswer, ReviewDetailAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { messageOf } from "../api/client.ts";
import { count } from "../parts/format.ts";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { Panel } from "../parts/panel.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import { DiffView } from "./diff-view.tsx";

type ReviewItem = ReviewAnswer["skills"][number];

const STATES: Readonly<Record<ReviewItem["state"], { readonly label: string; readonly badge: string }>> = {
  new: { label: "New, not served", badge: "status-warning" },
  changed: { label: "Changed, the approved version is served", badge: "status-warning" },
  approved: { label: "Approved", badge: "status-ok" },
  blocked: { label: "Blocked, not served", badge: "status-broken" },
};

/** Skills that are served only once somebody has approved them. */
export function ReviewPanels() {
  const { client, generation } = useDashboard();
  const [decided, setDecided] = useState(0);
  const review = useResource("review", `${generation} ${decided}`, (signal) =>
    client.get<ReviewAnswer>("review", {}, signal),
  );
  const onDecided = (): void => setDecided((old) => old + 1);
  return (
    <ResourceView resource={review} what="skills to review">
      {({ skills }) => <Lists skills={skills} version={`${generation} ${decided}`} onDecided={onDecided} />}
    </ResourceView>
  );
}

interface ListsProps {
  readonly skills: readonly ReviewItem[];
  readonly version: string;
  readonly onDecided: () => void;
}

function Lists({ skills, version, onDecided }: ListsProps) {
  const isWaiting = ({ state }: ReviewItem): boolean => state === "new" || state === "changed";
  const waiting = skills.filter(isWaiting);
  const rest = skills.filter((skill) => !isWaiting(skill));
  const item = (skill: ReviewItem) => (
    <Item key={skill.name} skill={skill} version={version} onDecided={onDecided} />
  );
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
          waiting.map(item)
        )}
      </Panel>
      {rest.length === 0 ? null : (
        <Panel title="Decided" note={count(rest.length, "skill")}>
          {rest.map(item)}
        </Panel>
      )}
    </>
  );
}

function Item({ skill, version, onDecided }: { readonly skill: ReviewItem } & Omit<ListsProps, "skills">) {
  const { name, state, description, source, rule, served, findings, problem } = skill;
  const [isOpen, setOpen] = useState(false);
  const { label, badge } = STATES[state];
  return (
    <details class="group review" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class={`badge ${badge}`}>{label}</span> <strong>{name}</strong>{" "}
        <span class="muted">{description}</span>
      </summary>
      <dl class="facts">
        <div>
          <dt>Source</dt>
          <dd>
            <code class="path">{source}</code>
          </dd>
        </div>
        <div>
          <dt>Rule</dt>
          <dd>
            <code>{rule}</code>
          </dd>
        </div>
        {served === undefined ? null : (
          <div>
            <dt>Served</dt>
            <dd>
              <code class="path">{served.digest}</code>{" "}
              <span class="muted">
                approved {served.at.slice(0, 16).replace("T", " ")} by {served.by}
              </span>
            </dd>
          </div>
        )}
      </dl>
      {problem === undefined ? null : (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
      {findings.length === 0 ? null : (
        <ul class="plain">
          {findings.map(({ rule: id, severity, file, line, message }) => (
            <li key={`${id} ${file} ${line ?? ""}`}>
              <span
                class={`badge status-${severity === "high" || severity === "critical" ? "broken" : "warning"}`}
              >
                {severity}
              </span>{" "}
              {id} <code class="path">{line === undefined ? file : `${file}:${line}`}</code>
              <p>{message}</p>
            </li>
          ))}
        </ul>
      )}
      {isOpen && state !== "blocked" ? (
        <Decision skill={skill} version={version} onDecided={onDecided} />
      ) : null}
    </details>
  );
}

/** What changed, and what can be done about it. */
function Decision({
  skill,
  version,
  onDecided,
}: { readonly skill: ReviewItem } & Omit<ListsProps, "skills">) {
  const { client, notify } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  const { name, served, earlier } = skill;
  const detail = useResource(`review ${name}`, version, (signal) =>
    client.get<ReviewDetailAnswer>("review/skill", { name }, signal),
  );
  const post = (action: "approve" | "revert", digest: string): Promise<ReviewItem> =>
    client.post<ReviewItem>(`review/${action}`, { name, digest });
  /** Another version than the one that the source holds cannot be approved again from here. */
  const undoOf = (action: "approve" | "revert", digest: string, now: ReviewItem) => {
    const [opposite, seen] =
      action === "approve" ? (["revert", now.served?.digest] as const) : (["approve", now.digest] as const);
    if (seen === undefined || (action === "revert" && seen !== digest)) return {};
    return {
      undo: async () => {
        await post(opposite, seen).catch((error: unknown) => notify(messageOf(error)));
        onDecided();
      },
    };
  };
  const send = async (action: "approve" | "revert", digest: string, done: string): Promise<void> => {
    setBusy(true);
    try {
      notify(done, undoOf(action, digest, await post(action, digest)));
      onDecided();
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <ResourceView resource={detail} what="changes">
      {({ state, digest, diff }) => (
        <>
          {state === "approved" || digest === undefined ? null : (
            <>
              <DiffView diff={diff} label={`Changes of ${name}`} />
              <div class="line">
                <button
                  type="button"
                  class="primary"
                  disabled={isBusy}
                  onClick={() => void send("approve", digest, `${name} is approved.`)}
                >
                  Approve {name}
                </button>
                <TerminalLine command={commandText(["approve", name])} />
              </div>
            </>
          )}
          {served === undefined ? null : (
            <div class="line">
              <button
                type="button"
                disabled={isBusy}
                onClick={() => void send("revert", served.digest, `${name} is rolled back.`)}
              >
                {earlier === 0 ? `Withdraw ${name}` : `Roll back ${name}`}
              </button>
              <TerminalLine command={commandText(["approve", name, "--revert"])} />
              <span class="muted">
                {earlier === 0
                  ? "No version was approved before: it will not be served."
                  : "Serves the version that was approved before."}
              </span>
            </div>
          )}
        </>
      )}
    </ResourceView>
  );
}
