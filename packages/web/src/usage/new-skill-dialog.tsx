import { useEffect, useRef, useState } from "preact/hooks";
import type { NewSkillAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { ApiError } from "../api/client.ts";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import { proposedDescription, proposedName } from "./proposed-skill.ts";

const MOST_PROMPTS = 20;

/** A skill that requests lack: its name and description to start from, and the requests as prompts for `eval`. */
export function NewSkillDialog({
  requests,
  onClose,
}: {
  readonly requests: readonly string[];
  readonly onClose: () => void;
}) {
  const { client, session, navigation, notify, reload } = useDashboard();
  const dialog = useRef<HTMLDialogElement>(null);
  const [name, setName] = useState(() => (requests[0] === undefined ? "" : proposedName(requests[0])));
  const [description, setDescription] = useState(() =>
    requests.length === 0 ? "" : proposedDescription(requests),
  );
  const [scope, setScope] = useState<"project" | "user">("project");
  const [problem, setProblem] = useState("");
  const prompts = requests.slice(0, MOST_PROMPTS);
  useEffect(() => dialog.current?.showModal(), []);
  const body = { name: name.trim(), scope, description: description.trim(), prompts };
  const command = commandText([
    "new",
    body.name || "my-skill",
    ...(scope === "user" ? ["--global"] : []),
    ...(body.description === "" ? [] : ["--description", body.description]),
    ...prompts.flatMap((prompt) => ["--prompt", prompt]),
  ]);

  const create = async (): Promise<void> => {
    try {
      const { dir, served } = await client.post<NewSkillAnswer>("skills/new", body);
      dialog.current?.close();
      reload();
      // What is left is its text.
      if (served) navigation.go(routeHash("skills", { open: body.name, tab: "source", edit: "1" }));
      const where = served
        ? `Created ${body.name}. Now write its steps in ${dir}.`
        : `Created ${dir}. This server does not search that folder.`;
      notify(where, {
        undo: async () => {
          await client.post("skills/new/undo", body);
          reload();
        },
      });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
  };
  return (
    <dialog ref={dialog} class="new-skill" aria-labelledby="new-skill-title" onClose={onClose}>
      <header>
        <h2 id="new-skill-title">New skill</h2>
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label for="new-name">Name</label>
        <input
          id="new-name"
          required
          placeholder="release-notes"
          autocomplete="off"
          spellcheck={false}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <label for="new-description">Description: what it does, and when to use it</label>
        <textarea
          id="new-description"
          rows={4}
          placeholder="Writes release notes from commits. Use before a release."
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
        <label for="new-scope">Where</label>
        <select
          id="new-scope"
          value={scope}
          onChange={(event) => setScope(event.currentTarget.value === "user" ? "user" : "project")}
        >
          <option value="project">this project: .agents/skills</option>
          <option value="user">all projects: ~/.agents/skills</option>
        </select>
        {prompts.length === 0 ? null : (
          <details>
            <summary>Prompts that should find it ({prompts.length})</summary>
            <ul>
              {prompts.map((prompt) => (
                <li key={prompt}>{prompt}</li>
              ))}
            </ul>
          </details>
        )}
        <TerminalLine command={command} />
        {problem === "" ? null : (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        {mayChange(session) ? (
          <button type="submit" class="primary">
            Create the skill
          </button>
        ) : (
          <p class="muted">
            This page is read-only. Run the command, or open the address that serve printed.
          </p>
        )}
      </form>
    </dialog>
  );
}
