import type { WireProblem } from "#server/wire";
import { Badge } from "../parts/badge.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { count } from "../parts/format.ts";
import { Message } from "../parts/message.tsx";
import { skillHash } from "../state/route.ts";
import { groupProblems, ownMessage, type ProblemGroup, sharedMessage } from "./group-problems.ts";
import { ruleTitle } from "./rule-titles.ts";

/** A larger group starts collapsed. */
const SHOWN = 10;
const MOST = 200;

const TONES = { error: "bad", warning: "warn", advice: undefined } as const;

const COMMANDS: Readonly<Record<WireProblem["check"], string>> = {
  doctor: "skills-mcp doctor",
  validate: "skills-mcp validate",
  audit: "skills-mcp audit --all",
};

/** Findings by rule. */
export function ProblemList({ list }: { readonly list: readonly WireProblem[] }) {
  return (
    <div class="problem-groups">
      {groupProblems(list).map((group) => (
        <Group key={`${group.severity}${group.check}${group.rule}`} group={group} />
      ))}
    </div>
  );
}

function Group({ group: { severity, check, rule, items } }: { readonly group: ProblemGroup }) {
  const tone = TONES[severity];
  const [first] = items;
  const shared = sharedMessage(items);
  return (
    <details class="problem-group" open={items.length <= SHOWN}>
      <summary data-item>
        <Badge {...(tone === undefined ? {} : { tone })}>{severity}</Badge> <strong>{ruleTitle(rule)}</strong>{" "}
        <span class="muted">{count(items.length, "place")}</span>
        <code class="muted from" title={`The terminal shows ${rule} with ${COMMANDS[check]}`}>
          {COMMANDS[check]}
        </code>
      </summary>
      {shared === "" ? null : (
        <p class="shared">
          <Message text={shared} />
        </p>
      )}
      <ul class="plain">
        {items.slice(0, MOST).map((problem) => (
          <Item
            key={`${problem.file}:${problem.line}:${problem.message}`}
            problem={problem}
            shared={shared}
          />
        ))}
      </ul>
      {items.length > MOST ? (
        <p class="muted">
          {count(items.length - MOST, "more place")}. {first === undefined ? "" : COMMANDS[check]} lists all
          of them.
        </p>
      ) : null}
    </details>
  );
}

function Item({ problem, shared }: { readonly problem: WireProblem; readonly shared: string }) {
  const { file, line, name, risk } = problem;
  const message = ownMessage(problem.message, shared);
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return (
    <li>
      {risk === undefined && message === "" ? null : (
        <p>
          {risk === undefined ? null : (
            <Badge tone={risk === "low" || risk === "medium" ? "warn" : "bad"}>{risk}</Badge>
          )}{" "}
          <Message text={message} />
        </p>
      )}
      {place === undefined || file === undefined ? (
        name === undefined ? null : (
          <p class="muted">{name}</p>
        )
      ) : (
        <p class="place">
          {isSkillFile(file) ? (
            <a class="path" href={skillHash({ file })} data-item>
              {place}
            </a>
          ) : (
            <code class="path">{place}</code>
          )}{" "}
          <CopyButton text={place} what="the path" />
        </p>
      )}
    </li>
  );
}

function isSkillFile(file: string): boolean {
  return /skill\.md$/i.test(file) || file.endsWith(".md");
}
