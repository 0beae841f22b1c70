import { useEffect, useRef, useState } from "preact/hooks";
import type { ChoicesAnswer, PlanAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { messageOf } from "../api/client.ts";
import { Panel } from "../parts/panel.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { useDashboard } from "../state/context.ts";
import { PlanView } from "./plan-view.tsx";
import { useUndo } from "./use-undo.ts";

type Scope = "project" | "user";

/** In place of the form, where it would be refused. */
export function OperatorPanel() {
  return (
    <Panel title="Install skills" icon="plus">
      <p class="muted">
        On a server with tokens, its operator installs skills: run this on the machine of the server, in its
        folder.
      </p>
      <TerminalLine command="skills-mcp add <owner/repo>" />
    </Panel>
  );
}

/** Installs skills of a repository: first what it has, then what would be installed, then the installation. */
export function AddPanel({ isFirst }: { readonly isFirst: boolean }) {
  const { client, notify, reload } = useDashboard();
  const takeBack = useUndo();
  const field = useRef<HTMLInputElement>(null);
  const [source, setSource] = useState("");
  const [scope, setScope] = useState<Scope>("project");
  const [choices, setChoices] = useState<ChoicesAnswer["choices"]>();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [plan, setPlan] = useState<PlanAnswer>();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);

  const startAgain = (): void => {
    setChoices(undefined);
    setChosen([]);
    setPlan(undefined);
    setProblem("");
  };
  const send = async (names: readonly string[], dryRun: boolean): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      const body = { source: source.trim(), names, scope, dryRun };
      const answer = await client.post<PlanAnswer | ChoicesAnswer>("sources/add", body);
      if ("choices" in answer) return setChoices(answer.choices);
      if (dryRun) return setPlan(answer);
      const [failed] = answer.failed;
      if (failed !== undefined) return setProblem(failed.message);
      const added = answer.plan
        .filter(({ action }) => action === "add" || action === "update")
        .map(({ name }) => name);
      notify(`Installed ${added.join(", ")}.`, { undo: () => takeBack(added) });
      setSource("");
      startAgain();
      reload();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
    return undefined;
  };
  const isChange = plan?.plan.some(({ action }) => action === "add" || action === "update") === true;
  const names = plan === undefined ? chosen : plan.plan.map(({ name }) => name);
  const typed = source.trim() === "" ? "anthropics/skills" : source.trim();
  return (
    <Panel title="Install skills" icon="plus" note="from GitHub, any git address, a folder, a site or npm">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          startAgain();
          if (source.trim() !== "") void send([], true);
        }}
      >
        <input
          ref={field}
          aria-label="Source of skills"
          placeholder="owner/repo, an address, a folder, or npm:package"
          autocomplete="off"
          spellcheck={false}
          value={source}
          onInput={(event) => {
            setSource(event.currentTarget.value);
            startAgain();
          }}
        />
        <label class="inline">
          <span>For</span>
          <select
            value={scope}
            onChange={(event) => {
              setScope(event.currentTarget.value === "user" ? "user" : "project");
              setPlan(undefined);
            }}
          >
            <option value="project">this project</option>
            <option value="user">all my projects</option>
          </select>
        </label>
        <button type="submit" disabled={isBusy || source.trim() === ""}>
          {isBusy ? "Fetching …" : "Preview"}
        </button>
      </form>
      {problem === "" ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {choices === undefined || plan !== undefined ? null : (
        <Choices choices={choices} chosen={chosen} onChosen={setChosen} />
      )}
      {plan === undefined ? null : <PlanView plan={plan} />}
      {choices !== undefined && plan === undefined ? (
        <button
          type="button"
          disabled={isBusy || chosen.length === 0}
          onClick={() => void send(chosen, true)}
        >
          Show what would be installed
        </button>
      ) : null}
      {isChange ? (
        <button type="button" class="primary" disabled={isBusy} onClick={() => void send(names, false)}>
          {isBusy ? "Installing …" : `Install ${names.join(", ")}`}
        </button>
      ) : null}
      <TerminalLine command={commandText(["add", ...(scope === "user" ? ["-g"] : []), typed, ...names])} />
    </Panel>
  );
}

function Choices({
  choices,
  chosen,
  onChosen,
}: {
  readonly choices: ChoicesAnswer["choices"];
  readonly chosen: readonly string[];
  readonly onChosen: (names: readonly string[]) => void;
}) {
  return (
    <fieldset class="choices">
      <legend>
        Which of its {choices.length} skills?{" "}
        <button
          type="button"
          class="link"
          onClick={() => onChosen(chosen.length === choices.length ? [] : choices.map(({ name }) => name))}
        >
          {chosen.length === choices.length ? "None" : "All"}
        </button>
      </legend>
      {choices.map(({ name, description }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChosen(
                event.currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name),
              )
            }
          />
          <span>
            <strong>{name}</strong> <span class="muted">{description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
