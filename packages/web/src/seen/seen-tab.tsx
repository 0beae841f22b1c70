import { useState } from "preact/hooks";
import { SEEN, type SkillDetail, type SkillSeenAnswer } from "#server/wire";
import { ResourceView } from "../parts/notice.tsx";
import { useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { SIGNS } from "./cells.ts";
import { SeenActions } from "./seen-actions.tsx";

/** Who sees one skill, why, and what changes it. */
export function SeenTab({ detail }: { readonly detail: SkillDetail }) {
  const { client, generation } = useDashboard();
  const [isAll, setAll] = useState(false);
  const { file, kind, status } = detail;
  const params = { file, ...(isAll ? {} : { agents: "here" }) };
  const seen = useResource(JSON.stringify(params), generation, (signal) =>
    client.get<SkillSeenAnswer>("skill/seen", params, signal),
  );
  const isServed = kind === "skill" && status !== "disabled" && status !== "shadowed";
  return (
    <ResourceView resource={seen} what="who sees it">
      {({ agents }) => (
        <div class="seen-tab">
          <ul class="plain">
            {agents.map((one) => (
              <li key={`${one.client} ${one.profile ?? ""}`} class="seen-agent">
                <span class={`sign way-${one.seen}`} aria-hidden="true">
                  {SIGNS[one.seen]}
                </span>
                <span class="who">
                  <a href={routeHash("model", { client: one.client })}>{one.title}</a>
                  {one.profile === undefined ? null : <span class="badge accent">{one.profile}</span>}
                  <span class="muted">{SEEN[one.seen]}</span>
                </span>
                <p>{one.text}</p>
                <SeenActions file={file} isServed={isServed} one={one} />
              </li>
            ))}
          </ul>
          <p class="seen-more">
            {isAll ? null : (
              <button type="button" class="small" onClick={() => setAll(true)}>
                All other agents
              </button>
            )}
            <a href={routeHash("seen")}>Every skill and agent</a>
          </p>
        </div>
      )}
    </ResourceView>
  );
}
