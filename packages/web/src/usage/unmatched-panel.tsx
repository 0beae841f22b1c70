import { useState } from "preact/hooks";
import type { UnmatchedAnswer } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { count, formatNumber } from "../parts/format.ts";
import { ResourceView } from "../parts/notice.tsx";
import { Panel } from "../parts/panel.tsx";
import { useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { NewSkillDialog } from "./new-skill-dialog.tsx";
import { useSome } from "./panels.tsx";

type Group = UnmatchedAnswer["groups"][number];

/** Searches that found nothing, with those together that ask for the same thing: each is a skill that is missing. */
export function UnmatchedPanel({ since, until }: { readonly since: string; readonly until: string }) {
  const { client, generation } = useDashboard();
  const [writing, setWriting] = useState<Group>();
  const found = useResource(`${since} ${until}`, generation, (signal) =>
    client.get<UnmatchedAnswer>("usage/unmatched", { since, until }, signal),
  );
  return (
    <Panel title="Unmatched searches" icon="search" note="grouped by meaning">
      <ResourceView resource={found} what="unmatched searches">
        {({ groups }) => <Groups groups={groups} onWrite={setWriting} />}
      </ResourceView>
      {writing === undefined ? null : (
        <NewSkillDialog
          requests={writing.queries.map(({ query }) => query)}
          onClose={() => setWriting(undefined)}
        />
      )}
    </Panel>
  );
}

function Groups({
  groups,
  onWrite,
}: {
  readonly groups: readonly Group[];
  readonly onWrite: (group: Group) => void;
}) {
  const { shown, more } = useSome(groups);
  if (groups.length === 0) return <p class="muted">Every search found something.</p>;
  return (
    <>
      <ul class="plain unmatched">
        {shown.map((group) => {
          const [first, ...others] = group.queries;
          if (first === undefined) return null;
          return (
            <li key={first.query} data-item tabIndex={-1}>
              <div class="texts">
                <span class="query">{first.query}</span>
                {first.kind === "name" ? <span class="badge">a name that no skill has</span> : null}
                {others.slice(0, 5).map(({ query }) => (
                  <span key={query} class="muted also">
                    {query}
                  </span>
                ))}
                {others.length > 5 ? (
                  <span class="muted">and {formatNumber(others.length - 5)} more</span>
                ) : null}
              </div>
              <span class="muted">{count(group.count, "time")}</span>
              <span class="actions">
                <a class="button small" href={routeHash("try", { task: first.query })}>
                  Try it
                </a>
                <button type="button" class="small" onClick={() => onWrite(group)}>
                  <Icon name="edit" size={13} />
                  Write this skill
                </button>
              </span>
            </li>
          );
        })}
      </ul>
      {more}
    </>
  );
}
