import { useEffect, useState } from "preact/hooks";
import type { ModelAnswer } from "#server/wire";
import { Badge } from "../parts/badge.tsx";
import { CodeView } from "../parts/code-view.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { count, formatNumber } from "../parts/format.ts";
import { Empty, Failure, Loading } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Figure, Panel } from "../parts/panel.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { useDashboard } from "../state/context.ts";
import { routeHash, skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";
import { doctorCommand, readChoice } from "./doctor-command.ts";
import { ModelControls } from "./model-controls.tsx";
import { TokenBar } from "./token-bar.tsx";

/** What a client shows its model of the skills at turn 1, part by part, and what changes it. */
export function ModelView() {
  const { client: api, navigation, generation } = useDashboard();
  const choice = readChoice(navigation.route.params);
  const { client, version, connection, format, budget, native, profile } = choice;
  const wanted = {
    client,
    version: version || undefined,
    connection: connection || undefined,
    format,
    budget,
    native: native ? "1" : undefined,
    profile: profile || undefined,
  };
  const [last, setLast] = useState<ModelAnswer>();
  const answer = useResource(JSON.stringify(wanted), generation, (signal) =>
    api.get<ModelAnswer>("model", wanted, signal),
  );
  // The last answer stays while another one is on its way.
  useEffect(() => {
    if (answer.value !== undefined) setLast(answer.value);
  }, [answer.value]);
  const shown = answer.value ?? last;
  const command = answer.value === undefined ? undefined : doctorCommand(choice, answer.value);
  return (
    <div class="page">
      <PageHeader title="What the model sees">
        Everything about skills that {shown === undefined ? "a client" : <Whose answer={shown} />} shows its
        model before the first word of an answer.
      </PageHeader>
      <ModelControls choice={choice} answer={shown} />
      {command === undefined ? null : <TerminalLine command={command} />}
      {answer.error !== undefined ? (
        <Failure error={answer.error} onRetry={answer.reload} />
      ) : shown === undefined ? (
        <Loading what="what the model sees" />
      ) : (
        <Seen answer={shown} />
      )}
    </div>
  );
}

/** Which client, version and connection this is about: others may see something else. */
function Whose({ answer: { title, client, version, connection } }: { readonly answer: ModelAnswer }) {
  return (
    <>
      <strong>{title === undefined ? client : [title, version].filter(Boolean).join(" ")}</strong>
      {connection === "http" ? ", connected to this server," : ", which starts skills-mcp itself,"}
    </>
  );
}

function Seen({ answer }: { readonly answer: ModelAnswer }) {
  const { tokens, skills, shown, amounts, budgets } = answer;
  return (
    <>
      <div class="figures">
        <Figure value={`~${formatNumber(tokens.total)}`} label="tokens at turn 1" />
        <Figure
          value={`${formatNumber(shown)} / ${formatNumber(skills)}`}
          label="skills named"
          tone={shown === skills ? "good" : "warn"}
        />
        <Figure
          value={formatNumber(amounts.whole)}
          label="with the full description"
          tone={amounts.whole === skills ? "good" : "warn"}
        />
        <Figure value={formatNumber(answer.native.length)} label="read from disk by the client" />
      </div>
      <TokenBar answer={answer} />
      <div class="model-columns">
        <div class="stack">
          <TextPanel
            title="Server instructions"
            text={answer.instructions}
            tokens={tokens.instructions}
            most={budgets.instructions}
          />
          {answer.tools.map(({ name, description, tokens: cost }) => (
            <TextPanel
              key={name}
              title={`Tool ${name}`}
              text={description}
              tokens={cost.description}
              schema={cost.schema}
              {...(name === "skill" ? { most: budgets.description } : {})}
            />
          ))}
        </div>
        <div class="stack">
          <Reasons answer={answer} />
          <SkillStates answer={answer} />
        </div>
      </div>
    </>
  );
}

function TextPanel({
  title,
  text,
  tokens,
  schema,
  most,
}: {
  readonly title: string;
  readonly text: string;
  readonly tokens: number;
  readonly schema?: number;
  readonly most?: number;
}) {
  const used = most === undefined ? undefined : Math.min(1, text.length / Math.max(1, most));
  return (
    <Panel
      title={title}
      note={`~${count(tokens, "token")}${schema === undefined ? "" : ` and ${formatNumber(schema)} for its schema`}`}
      actions={<CopyButton text={text} what={title} />}
    >
      {text === "" ? <p class="muted">Nothing.</p> : <CodeView text={text} label={title} />}
      {used === undefined || most === undefined ? null : (
        <p class="budget muted">
          <span class="meter" aria-hidden="true">
            <i class={used > 0.9 ? "full" : ""} style={{ width: `${used * 100}%` }} />
          </span>
          {formatNumber(text.length)} of at most {formatNumber(most)} characters
        </p>
      )}
    </Panel>
  );
}

const MOST_NAMES = 12;

function Reasons({ answer }: { readonly answer: ModelAnswer }) {
  return (
    <Panel title="Why, and what changes it" icon="info">
      <ul class="plain reasons">
        {answer.reasons.map(({ code, text, lever, skills = [] }) => (
          <li key={code}>
            <p>{text}</p>
            {skills.length === 0 ? null : (
              <p class="names">
                {skills.slice(0, MOST_NAMES).map((name) => (
                  <a key={name} href={skillHash({ name })}>
                    {name}
                  </a>
                ))}
                {skills.length > MOST_NAMES ? ` and ${formatNumber(skills.length - MOST_NAMES)} more` : ""}
              </p>
            )}
            {lever === undefined ? null : (
              <p class="lever">
                <code>{lever.command}</code> <span class="muted">{lever.does}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const STATES = {
  whole: { label: "in full", tone: "good" },
  cut: { label: "cut", tone: "warn" },
  name: { label: "name only", tone: "warn" },
  absent: { label: "not listed", tone: "bad" },
} as const;

const MOST_SKILLS = 40;

/** Every skill of the list, and how much of it the model reads. */
function SkillStates({ answer }: { readonly answer: ModelAnswer }) {
  const [most, setMost] = useState(MOST_SKILLS);
  const { list, skills } = answer;
  const left = Math.min(list.length, skills) - most;
  return (
    <Panel title="Skills in the list" note={count(skills, "skill")}>
      {skills === 0 ? (
        <Empty title="No skills in the list" icon="skills">
          <p>
            {answer.native.length > 0
              ? "This client reads all of them from disk by itself."
              : "There are no skills for it yet."}{" "}
            <a href={routeHash("skills")}>All skills</a>
          </p>
        </Empty>
      ) : (
        <ul class="plain skill-states">
          {list.slice(0, most).map(({ name, shown, tokens }) => (
            <li key={name} class="line">
              <a href={skillHash({ name })}>{name}</a>
              <Badge tone={STATES[shown].tone}>{STATES[shown].label}</Badge>
              <span class="end muted">{tokens === 0 ? "" : `~${formatNumber(tokens)}`}</span>
            </li>
          ))}
        </ul>
      )}
      {left <= 0 ? null : (
        <button type="button" class="small" onClick={() => setMost(most + 200)}>
          Show more ({formatNumber(left)})
        </button>
      )}
    </Panel>
  );
}
