import { useEffect, useState } from "preact/hooks";
import type { ModelAnswer } from "#server/wire";
import { formatNumber } from "../parts/format.ts";
import { useDashboard } from "../state/context.ts";
import { useAudiences } from "../state/use-audiences.ts";
import { type ModelChoice, STEPS, toBudget, toStep } from "./doctor-command.ts";

const DEBOUNCE_MS = 120;

/** Which client, how it connects, and the levers that change what its model sees. */
export function ModelControls({
  choice,
  answer,
}: {
  readonly choice: ModelChoice;
  readonly answer: ModelAnswer | undefined;
}) {
  const { navigation } = useDashboard();
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    navigation.change(changes, { replace: true });
  const clients = answer?.clients ?? [];
  const known = clients.filter((client) => client.known);
  const others = clients.filter((client) => !client.known);
  const versions = clients.find(({ name }) => name === choice.client)?.versions ?? [];
  const version = choice.version || answer?.version || "";
  return (
    <div class="controls">
      <label>
        <span>Client</span>
        <select
          value={choice.client}
          onChange={(event) =>
            change({ client: event.currentTarget.value, version: undefined, budget: undefined })
          }
        >
          <optgroup label="Measured">
            {known.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </optgroup>
          <optgroup label="Not measured">
            {others.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </optgroup>
          {clients.some(({ name }) => name === choice.client) ? null : (
            <option value={choice.client}>{choice.client}</option>
          )}
        </select>
      </label>
      {versions.length === 0 && version === "" ? null : (
        <label>
          <span>Version</span>
          <select
            value={version}
            onChange={(event) => change({ version: event.currentTarget.value || undefined })}
          >
            {versions.map((version) => (
              <option key={version} value={version}>
                {`${version} and later`}
              </option>
            ))}
            {versions.length === 0 ? <option value="">any</option> : null}
            <option value="0">{`before ${versions.at(-1) ?? "all others"}`}</option>
            {["", "0", ...versions].includes(version) ? null : <option value={version}>{version}</option>}
          </select>
        </label>
      )}
      <ProfileChoice chosen={choice.profile} onChange={(profile) => change({ profile })} />
      <label>
        <span>Connected</span>
        <select
          value={choice.connection || answer?.connection || "stdio"}
          onChange={(event) => change({ connection: event.currentTarget.value })}
        >
          <option value="stdio">by starting skills-mcp</option>
          <option value="http">to this server</option>
        </select>
      </label>
      <label>
        <span>Format</span>
        <select
          value={choice.format || answer?.format || "xml"}
          onChange={(event) => change({ format: event.currentTarget.value })}
        >
          <option value="xml">XML</option>
          <option value="list">list</option>
        </select>
      </label>
      <BudgetSlider choice={choice} answer={answer} onChange={(budget) => change({ budget })} />
      <label class="check">
        <input
          type="checkbox"
          checked={choice.native}
          onChange={(event) => change({ native: event.currentTarget.checked ? "1" : undefined })}
        />
        <span>Also list skills read from disk</span>
      </label>
    </div>
  );
}

/** Where there are profiles: whose skills are listed. */
function ProfileChoice({
  chosen,
  onChange,
}: {
  readonly chosen: string;
  readonly onChange: (profile: string | undefined) => void;
}) {
  const { profiles = [] } = useAudiences() ?? {};
  if (profiles.length === 0 && chosen === "") return null;
  return (
    <label>
      <span>Profile</span>
      <select value={chosen} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
        <option value="">none</option>
        {profiles.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        {chosen === "" || profiles.some(({ name }) => name === chosen) ? null : (
          <option value={chosen}>{chosen}</option>
        )}
      </select>
    </label>
  );
}

function BudgetSlider({
  choice,
  answer,
  onChange,
}: {
  readonly choice: ModelChoice;
  readonly answer: ModelAnswer | undefined;
  readonly onChange: (budget: string | undefined) => void;
}) {
  const [moved, setMoved] = useState(choice.budget);
  useEffect(() => setMoved(choice.budget), [choice.budget]);
  useEffect(() => {
    if (moved === choice.budget) return undefined;
    const timer = setTimeout(() => onChange(moved || undefined), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  const usual = answer?.usualBudgets.description ?? 2_000;
  const budget = Number(moved) || usual;
  return (
    <label class="slider">
      <span>
        Description budget: {formatNumber(budget)} characters
        {moved === "" ? " (default)" : ""}
      </span>
      <span class="line">
        <input
          type="range"
          min={0}
          max={STEPS}
          value={toStep(budget)}
          aria-valuetext={`${budget} characters`}
          onInput={(event) => setMoved(String(toBudget(Number(event.currentTarget.value))))}
        />
        {moved === "" ? null : (
          <button type="button" class="small" onClick={() => setMoved("")}>
            Reset
          </button>
        )}
      </span>
    </label>
  );
}
