import { useEffect, useState } from "preact/hooks";
import type { DescriptionAnswer } from "../../../src/http/api/wire.ts";
import { CodeView } from "../parts/code-view.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { count, formatNumber } from "../parts/format.ts";
import { Failure, Loading } from "../parts/notice.tsx";
import { Figure, Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import { useDashboard } from "../state/context.ts";
import { skillHash } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";

const CLIENTS = [
  ["claude-code", "Claude Code"],
  ["other", "other clients"],
] as const;

/** The slider is logarithmic, because 500 characters and 50,000 both matter. */
const SMALLEST = 200;
const LARGEST = 200_000;
const STEPS = 200;
const toBudget = (step: number): number => Math.round(SMALLEST * (LARGEST / SMALLEST) ** (step / STEPS));
const toStep = (budget: number): number =>
  Math.round((STEPS * Math.log(budget / SMALLEST)) / Math.log(LARGEST / SMALLEST));
const DEBOUNCE_MS = 100;

/** The tool description that a client receives before it calls anything, and its cost. */
export function DescriptionPanel() {
  const { client: api, navigation, generation } = useDashboard();
  const { params } = navigation.route;
  const client = params.get("client") ?? "claude-code";
  const format = params.get("format") ?? undefined;
  const budget = params.get("budget") ?? undefined;
  const [moved, setMoved] = useState(budget);
  useEffect(() => setMoved(budget), [budget]);
  useEffect(() => {
    const timer = setTimeout(() => navigation.change({ budget: moved }, { replace: true }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [moved]);

  const [last, setLast] = useState<DescriptionAnswer>();
  const wanted = { client, format, budget };
  const answer = useResource(JSON.stringify(wanted), generation, (signal) =>
    api.get<DescriptionAnswer>("description", wanted, signal),
  );
  // Keep the last answer while the slider moves, to avoid flicker.
  useEffect(() => {
    if (answer.value !== undefined) setLast(answer.value);
  }, [answer.value]);
  const shown = answer.value ?? last;

  return (
    <Panel title="Tool description" note="what a client sees before it calls a tool">
      <div class="controls">
        <label>
          <span>Client</span>
          <select
            value={client}
            onChange={(event) =>
              navigation.change({ client: event.currentTarget.value, budget: undefined }, { replace: true })
            }
          >
            {CLIENTS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Format</span>
          <select
            value={format ?? shown?.format ?? "xml"}
            onChange={(event) => navigation.change({ format: event.currentTarget.value }, { replace: true })}
          >
            <option value="xml">XML</option>
            <option value="list">list</option>
          </select>
        </label>
        <label class="slider">
          <span>Budget: {formatNumber(Number(moved ?? shown?.budget ?? 0))} characters</span>
          <input
            type="range"
            min={0}
            max={STEPS}
            value={toStep(Number(moved ?? shown?.budget ?? 2000))}
            aria-valuetext={`${moved ?? shown?.budget ?? 0} characters`}
            onInput={(event) => setMoved(String(toBudget(Number(event.currentTarget.value))))}
          />
        </label>
        {budget === undefined ? null : (
          <button type="button" class="small" onClick={() => setMoved(undefined)}>
            Reset budget
          </button>
        )}
      </div>
      {answer.error !== undefined ? (
        <Failure error={answer.error} onRetry={answer.reload} />
      ) : shown === undefined ? (
        <Loading what="the description" />
      ) : (
        <DescriptionCost answer={shown} />
      )}
    </Panel>
  );
}

function DescriptionCost({ answer }: { readonly answer: DescriptionAnswer }) {
  const { text, instructions, characters, tokens, fullTokens, complete, skills, shown, costs } = answer;
  const state =
    skills === 0
      ? "There are no skills yet."
      : complete
        ? "Every skill is listed with its full description."
        : shown === skills
          ? "Every skill is listed, not all with their full description, and find_skills is enabled."
          : `${formatNumber(skills - shown)} of ${count(skills, "skill")} not listed; agents find the rest with find_skills.`;
  return (
    <>
      <div class="figures">
        <Figure
          value={`~${formatNumber(tokens)}`}
          label={`tokens (~${formatNumber(fullTokens)} without a budget)`}
        />
        <Figure value={formatNumber(characters)} label="characters" />
        <Figure
          value={`${formatNumber(shown)} / ${formatNumber(skills)}`}
          label="skills listed"
          tone={shown === skills ? "good" : "warn"}
        />
      </div>
      <p>{state}</p>
      <div class="columns">
        <div>
          <h3>
            Text <CopyButton text={text} what="the description" />
          </h3>
          <CodeView text={text} label="The tool description" />
          <h3>
            Server instructions <CopyButton text={instructions} what="the instructions" />
          </h3>
          <CodeView text={instructions} label="The server's instructions" />
        </div>
        <div>
          <h3>Cost by skill</h3>
          {costs.length === 0 ? (
            <p class="muted">There are no skills yet.</p>
          ) : (
            <Table label="Cost of each skill" texts={["Skill"]} numbers={["Full size in tokens", "Shown"]}>
              {costs.map(({ name, tokens: cost, characters: whole, shown: left }) => (
                <tr key={name}>
                  <td>
                    <a href={skillHash({ name })}>{name}</a>
                  </td>
                  <td class="end">~{formatNumber(cost)}</td>
                  <td class="end">
                    {left === 0
                      ? "not listed"
                      : left >= whole
                        ? "full"
                        : `${Math.round((100 * left) / whole)}%`}
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </div>
      </div>
    </>
  );
}
