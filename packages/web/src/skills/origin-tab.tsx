import type { OriginAnswer, ReviewDetailAnswer, SkillDetail } from "#server/wire";
import { commandText } from "#util/pure";
import { Badge } from "../parts/badge.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { ResourceView } from "../parts/notice.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import { useAudiences } from "../state/use-audiences.ts";
import { useResource } from "../state/use-resource.ts";
import { useToggle } from "./use-changes.ts";

const KINDS: Readonly<Record<OriginAnswer["kind"], string>> = {
  lock: "Installed from",
  repository: "Served from the repository",
  plugin: "Part of the plugin",
  other: "Installed by another tool from",
  local: "Written here, in",
};

/** Where a skill comes from, what changed since then, and for whom it is disabled. */
export function OriginTab({ detail }: { readonly detail: SkillDetail }) {
  const { client, generation, session } = useDashboard();
  const params = { file: detail.file };
  const origin = useResource(JSON.stringify(params), generation, (signal) =>
    client.get<OriginAnswer>("skill/origin", params, signal),
  );
  const isReviewer = session?.review === true && mayChange(session);
  return (
    <ResourceView resource={origin} what="the origin">
      {(value) => (
        <div class="stack">
          <p>
            {KINDS[value.kind]} <code class="path">{value.source}</code>{" "}
            {value.state === "as-installed" ? <Badge tone="good">as installed</Badge> : null}
            {value.state === "edited" ? <Badge tone="warn">edited since</Badge> : null}
          </p>
          <InstalledDiff name={detail.name} origin={value} />
          {isReviewer ? <ApprovedDiff name={detail.name} /> : null}
          <DisabledFor file={detail.file} name={detail.name} whom={value.disabledFor} />
        </div>
      )}
    </ResourceView>
  );
}

function InstalledDiff({ name, origin }: { readonly name: string; readonly origin: OriginAnswer }) {
  if (origin.state === "as-installed" && origin.kind === "lock")
    return (
      <>
        <p class="muted">Nothing differs from what was installed. What the source has now:</p>
        <TerminalLine command={commandText(["update", name, "--dry-run"])} />
      </>
    );
  if (origin.state !== "edited") return null;
  return (
    <>
      <h3>What was changed since it was installed</h3>
      {origin.diff === undefined ? (
        <p class="muted">
          What was installed is not stored on this machine, so that there is nothing to compare with.
        </p>
      ) : (
        <DiffView diff={origin.diff} label={`What was changed in ${name}`} />
      )}
      <p class="muted">An update keeps these changes, and says so where they do not fit.</p>
      <TerminalLine command={commandText(["update", name])} />
    </>
  );
}

/** What differs from the approved version; nothing for a skill that is not reviewed. */
function ApprovedDiff({ name }: { readonly name: string }) {
  const { client, generation } = useDashboard();
  const review = useResource(name, generation, (signal) =>
    client.get<ReviewDetailAnswer>("review/skill", { name }, signal),
  );
  const item = review.value;
  if (item === undefined) return null;
  return (
    <>
      <h3>Since it was approved</h3>
      {item.diff === "" ? (
        <p>
          Nothing differs from the version that {item.served?.by ?? "someone"} approved
          {item.served === undefined ? "" : ` on ${item.served.at.slice(0, 10)}`}.
        </p>
      ) : (
        <>
          <p>
            The approved version is served. <a href={routeHash("sources", { part: "review" })}>Review it</a>
          </p>
          <DiffView diff={item.diff} label={`What was changed in ${name} since it was approved`} />
        </>
      )}
    </>
  );
}

function DisabledFor({
  file,
  name,
  whom,
}: {
  readonly file: string;
  readonly name: string;
  readonly whom: OriginAnswer["disabledFor"];
}) {
  const { session } = useDashboard();
  const { isBusy, toggle } = useToggle();
  const titles = new Map(useAudiences()?.agents.map((agent) => [agent.name, agent.title]));
  if (whom.length === 0) return null;
  return (
    <>
      <h3>Disabled for some</h3>
      <ul class="plain">
        {whom.map(({ kind, name: who }) => {
          const said = kind === "agent" ? `for ${titles.get(who) ?? who}` : `in the profile ${who}`;
          const command = commandText(["enable", name, `--${kind}`, who]);
          return (
            <li key={kind + who} class="stack">
              <span class="line">
                Disabled {said}
                {mayChange(session) ? (
                  <button
                    type="button"
                    class="small"
                    disabled={isBusy}
                    onClick={() => void toggle([file], "enabled", { [kind]: who, said })}
                  >
                    Enable {said}
                  </button>
                ) : null}
              </span>
              <TerminalLine command={command} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
