import type { WireProblem } from "#server/wire";
import { Badge } from "../parts/badge.tsx";
import { count } from "../parts/format.ts";
import { Message } from "../parts/message.tsx";
import { routeHash } from "../state/route.ts";
import { groupBySkill, groupProblems, ownMessage, placeOf, sharedMessage } from "./group-problems.ts";
import { ruleTitle } from "./rule-titles.ts";

/** A larger group starts collapsed. */
const SHOWN = 10;
const MOST = 200;

const TONES = { error: "bad", warning: "warn", advice: undefined } as const;

/** Corrects files; undefined where nothing may be changed. */
export interface Fixing {
  readonly files: ReadonlySet<string>;
  readonly isBusy: boolean;
  readonly fix: (files: readonly string[]) => void;
}

/** Findings, one line each, by rule or by skill. */
export function ProblemList({
  list,
  by,
  fixing,
}: {
  readonly list: readonly WireProblem[];
  readonly by: "rule" | "skill";
  readonly fixing: Fixing | undefined;
}) {
  const groups =
    by === "rule"
      ? groupProblems(list).map(({ severity, check, rule, items }) => ({
          ...{ key: severity + check + rule, title: ruleTitle(rule), severity, items },
          from: check,
        }))
      : groupBySkill(list).map(({ skill, items }) => ({
          ...{ key: skill, title: skill, severity: items[0]?.severity ?? "advice", items },
          from: undefined,
        }));
  return (
    <div class="problem-groups">
      {groups.map(({ key, title, severity, items, from }) => {
        const shared = sharedMessage(items);
        const fixable = filesIn(items, fixing);
        return (
          <details key={key} class="problem-group" open={items.length <= SHOWN}>
            <summary data-item>
              <SeverityBadge severity={severity} /> <strong>{title}</strong>{" "}
              <span class="muted">
                {count(items.length, "place")}
                {from === undefined ? "" : ` · ${from}`}
              </span>
            </summary>
            {shared === "" && fixable.length < 2 ? null : (
              <p class="shared">
                <Message text={shared} />{" "}
                {fixable.length < 2 ? null : <FixButton files={fixable} fixing={fixing} />}
              </p>
            )}
            <ul class="plain">
              {items.slice(0, MOST).map((problem) => (
                <Item
                  key={`${problem.rule}:${problem.file}:${problem.line}:${problem.message}`}
                  problem={problem}
                  shared={shared}
                  title={by === "skill" ? ruleTitle(problem.rule) : undefined}
                  fixing={fixing}
                />
              ))}
            </ul>
            {items.length > MOST ? (
              <p class="muted">{count(items.length - MOST, "more place")}: filter them above.</p>
            ) : null}
          </details>
        );
      })}
    </div>
  );
}

function SeverityBadge({ severity }: Pick<WireProblem, "severity">) {
  const tone = TONES[severity];
  return <Badge {...(tone === undefined ? {} : { tone })}>{severity}</Badge>;
}

export function filesIn(items: readonly WireProblem[], fixing: Fixing | undefined): readonly string[] {
  const files = items.flatMap(({ file }) =>
    file !== undefined && fixing?.files.has(file) === true ? [file] : [],
  );
  return [...new Set(files)];
}

export function FixButton({
  files,
  fixing,
}: {
  readonly files: readonly string[];
  readonly fixing: Fixing | undefined;
}) {
  if (fixing === undefined || files.length === 0) return null;
  return (
    <button type="button" class="small" disabled={fixing.isBusy} onClick={() => fixing.fix(files)}>
      {files.length === 1 ? "Fix" : `Fix all ${files.length}`}
    </button>
  );
}

function Item({
  problem,
  shared,
  title,
  fixing,
}: {
  readonly problem: WireProblem;
  readonly shared: string;
  /** Of the rule, where the group does not say it. */
  readonly title: string | undefined;
  readonly fixing: Fixing | undefined;
}) {
  const { file, line, risk, severity } = problem;
  const message = ownMessage(problem.message, shared);
  const { skill, at } = placeOf(problem);
  const isSkill = file?.endsWith(".md") === true;
  return (
    <li class={file === undefined ? "finding whole" : "finding"}>
      {title === undefined ? null : <SeverityBadge severity={severity} />}
      {file === undefined || !isSkill ? (
        <code class="path" title={file}>
          {file === undefined ? skill : `${skill}/${at}`}
        </code>
      ) : (
        <a
          class="path"
          href={routeHash("skills", {
            file,
            tab: "source",
            line: line === undefined ? undefined : String(line),
          })}
          title={file}
          data-item
        >
          {`${skill}/${at}`}
        </a>
      )}
      {risk === undefined ? null : (
        <Badge tone={risk === "low" || risk === "medium" ? "warn" : "bad"}>{risk}</Badge>
      )}
      <span class="said" title={message}>
        {title === undefined ? null : <strong>{title}. </strong>}
        <Message text={message} />
      </span>
      <FixButton files={filesIn([problem], fixing)} fixing={fixing} />
    </li>
  );
}
