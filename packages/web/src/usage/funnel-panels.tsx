import type { UsageAnswer } from "#server/wire";
import { count, formatNumber } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import { skillHash } from "../state/route.ts";
import { Bars, useSome } from "./panels.tsx";

const STEPS = [
  ["suggested", "Suggested", "by a hook, before a prompt"],
  ["searched", "Searched", "tasks that agents described"],
  ["loaded", "Loaded", "skills that agents read"],
  ["scripts", "Scripts", "that skills ran"],
] as const;

/** From a suggestion to a script: how often agents came to each step. Steps can be skipped. */
export function FunnelPanel({ usage }: { readonly usage: UsageAnswer }) {
  const { funnel } = usage;
  const most = Math.max(1, ...STEPS.map(([step]) => funnel[step]));
  return (
    <Panel title="From suggestion to script" note="steps can be skipped">
      <ol class="funnel">
        {STEPS.map(([step, label, what]) => (
          <li key={step}>
            <span class="step">
              {label}
              <span class="muted">{what}</span>
            </span>
            <span class="track" aria-hidden="true">
              <i style={{ width: `${funnel[step] === 0 ? 0 : Math.max(1, (100 * funnel[step]) / most)}%` }} />
            </span>
            <strong>{formatNumber(funnel[step])}</strong>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

export function SkillFunnelPanel({ usage }: { readonly usage: UsageAnswer }) {
  const { shown, more } = useSome(usage.skills);
  const perDay = new Map(usage.mostUsed.map((skill) => [skill.skill, skill.perDay]));
  return (
    <Panel title="Skills" note={count(usage.skills.length, "skill")}>
      {shown.length === 0 ? (
        <p class="muted">No skill was suggested, found or loaded.</p>
      ) : (
        <div class="skill-funnel">
          <Table
            label="Use of each skill"
            texts={["Skill", "Per day"]}
            numbers={["Suggested", "Found", "Loaded", "Scripts"]}
          >
            {shown.map(({ skill, suggested, found, loaded, scripts }) => (
              <tr key={skill}>
                <td>
                  <a href={skillHash({ name: skill })}>{skill}</a>
                </td>
                <td>
                  <Bars values={perDay.get(skill) ?? []} label={`${skill} over time`} />
                </td>
                <td class="end">{formatNumber(suggested)}</td>
                <td class="end">{formatNumber(found)}</td>
                <td class="end">
                  <strong>{formatNumber(loaded)}</strong>
                </td>
                <td class="end">{formatNumber(scripts)}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {more}
    </Panel>
  );
}

/** What each client or caller did. Nothing where nobody is known. */
export function GroupPanel({
  title,
  one,
  groups,
  days,
}: {
  readonly title: string;
  readonly one: string;
  readonly groups: UsageAnswer["callers"] | UsageAnswer["clients"];
  readonly days: UsageAnswer["days"];
}) {
  const { shown, more } = useSome<UsageAnswer["callers"][number]>(groups);
  if (groups.length === 0) return null;
  return (
    <Panel title={title} note={count(groups.length, one)}>
      <ul class="plain groups">
        {shown.map((group) => {
          const versions = "versions" in group ? (group as UsageAnswer["clients"][number]).versions : [];
          return (
            <li key={group.name}>
              <div class="line">
                <strong>{group.name}</strong>
                {versions.slice(0, 2).map(({ version }) => (
                  <span key={version} class="badge">
                    {version}
                  </span>
                ))}
                <Bars
                  values={group.perDay.length > 0 ? group.perDay : days.map(() => 0)}
                  label={`${group.name} over time`}
                />
              </div>
              <p class="muted">
                {count(group.loaded, "load")}, {count(group.searched, "search", "searches")},{" "}
                {formatNumber(group.noMatch)} with no match
              </p>
              <p class="names">
                {group.skills.slice(0, 5).map(({ skill, count: times }) => (
                  <a key={skill} href={skillHash({ name: skill })}>
                    {skill} <span class="muted">{formatNumber(times)}</span>
                  </a>
                ))}
              </p>
            </li>
          );
        })}
      </ul>
      {more}
    </Panel>
  );
}
