import type { FindingsAnswer } from "../../../src/http/api/wire-findings.ts";
import { count } from "../parts/format.ts";
import { Empty, ResourceView } from "../parts/notice.tsx";
import { Panel } from "../parts/panel.tsx";
import { useDashboard } from "../state/context.ts";
import { skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";

interface Item {
  readonly file: string;
  readonly place: string;
  readonly message: string;
}

/** A larger group starts collapsed. */
const SHOWN = 10;
const MOST = 200;

/** What `skills-mcp validate` says about the served skills, by rule. Checked when the skills change, not at each poll. */
export function FindingsPanel() {
  const { client, generation } = useDashboard();
  const findings = useResource("findings", String(generation), (signal) =>
    client.get<FindingsAnswer>("findings", {}, signal),
  );
  return (
    <ResourceView resource={findings} what="rules">
      {({ files }) => <FindingGroups files={files} />}
    </ResourceView>
  );
}

function FindingGroups({ files }: FindingsAnswer) {
  const groups = groupByRule(files);
  if (groups.length === 0) {
    return (
      <Panel title="Rules">
        <Empty title="No findings">
          <p>
            Every skill passes <code>skills-mcp validate</code>.
          </p>
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title="Rules" note={`skills-mcp validate: ${count(files.length, "file")} with findings`}>
      {groups.map(({ severity, rule, items }) => (
        <details key={severity + rule} class={`group ${severity}`} open={items.length <= SHOWN}>
          <summary>
            <span class={`badge status-${severity === "error" ? "broken" : "warning"}`}>{severity}</span>{" "}
            {rule} <span class="muted">{items.length}</span>
          </summary>
          <ul class="plain">
            {items.slice(0, MOST).map(({ file, place, message }) => (
              <li key={place + message}>
                {/skill\.md$/i.test(file) ? (
                  <a class="path" href={skillHash({ file })}>
                    {place}
                  </a>
                ) : (
                  <code class="path">{place}</code>
                )}
                <p>{message}</p>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Panel>
  );
}

/** Errors first, then the rules that are broken most. */
function groupByRule(files: FindingsAnswer["files"]) {
  const groups = new Map<string, { severity: "error" | "advice"; rule: string; items: Item[] }>();
  for (const { file, findings } of files) {
    for (const { severity, rule, line, message } of findings) {
      const key = `${severity} ${rule}`;
      const group = groups.get(key) ?? { severity, rule, items: [] };
      group.items.push({ file, place: line === undefined ? file : `${file}:${line}`, message });
      groups.set(key, group);
    }
  }
  const rank = (severity: string): number => (severity === "error" ? 0 : 1);
  return [...groups.values()].sort(
    (a, b) => rank(a.severity) - rank(b.severity) || b.items.length - a.items.length,
  );
}
