import { useState } from "preact/hooks";
import type { EvalPromptAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { ApiError } from "../api/client.ts";
import { Icon } from "../icons/icon.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";

/** Saves a task as a prompt that should find a skill, or should not. */
export function SavePrompt({
  task,
  names,
  fits,
}: {
  readonly task: string;
  readonly names: readonly string[];
  /** Whether any skill fits the task. */
  readonly fits: boolean;
}) {
  const { client, session, notify, reload } = useDashboard();
  const [skill, setSkill] = useState(names[0] ?? "");
  const [kind, setKind] = useState<"yes" | "no">(fits ? "yes" : "no");
  const chosen = names.includes(skill) ? skill : (names[0] ?? "");
  if (chosen === "" || !mayChange(session)) return null;
  const shouldTrigger = kind === "yes";
  const body = { skill: chosen, prompt: task, shouldTrigger };

  const save = async (): Promise<void> => {
    try {
      const { changed, file } = await client.post<EvalPromptAnswer>("evals/add", body);
      if (!changed) return notify(`${file} has this prompt already.`);
      reload();
      return notify(`Saved the task to the evals of ${chosen}.`, {
        undo: async () => {
          await client.post("evals/remove", body);
          reload();
        },
      });
    } catch (error) {
      return notify(error instanceof ApiError ? error.message : String(error));
    }
  };
  return (
    <form
      class="save-prompt stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="line">
        <span>This task</span>
        <select
          aria-label="Whether it should find the skill"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value === "yes" ? "yes" : "no")}
        >
          <option value="yes">should find</option>
          <option value="no">should not find</option>
        </select>
        <select
          aria-label="The skill whose evals get it"
          value={chosen}
          onChange={(event) => setSkill(event.currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" class="small">
          <Icon name="plus" size={13} />
          Save as an eval prompt
        </button>
      </div>
      <TerminalLine
        command={commandText([
          "eval",
          "--skill",
          chosen,
          "--add-prompt",
          task,
          ...(shouldTrigger ? [] : ["--negative"]),
        ])}
      />
    </form>
  );
}
