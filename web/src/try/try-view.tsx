import { useEffect, useState } from "preact/hooks";
import type { TryAnswer } from "../../../src/http/api/wire.ts";
import { Empty, Failure, Loading } from "../parts/notice.tsx";
import { useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";
import { AllWordsPanel, FindPanel, LibraryPanel } from "./answers.tsx";
import { DescriptionPanel } from "./description-panel.tsx";

const EXAMPLES = ["merge two pdf files", "review a pull request", "write release notes"] as const;

/** Type a task and see what each tool would answer an agent. It is not recorded as usage. */
export function TryView() {
  const { client, navigation, generation } = useDashboard();
  const task = navigation.route.params.get("task") ?? "";
  const [typed, setTyped] = useState(task);
  useEffect(() => setTyped(task), [task]);
  const answer = useResource(task === "" ? undefined : task, generation, (signal) =>
    client.get<TryAnswer>("try", { task }, signal),
  );
  const submit = (text: string): void => navigation.change({ task: text.trim() });

  return (
    <div class="page">
      <h1>Try it</h1>
      <form
        class="try"
        onSubmit={(event) => {
          event.preventDefault();
          submit(typed);
        }}
      >
        <label for="task">Describe a task, as an agent would</label>
        <div class="line">
          <input
            id="task"
            autocomplete="off"
            placeholder="merge two pdf files"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit" class="primary">
            Try
          </button>
        </div>
      </form>
      {task === "" ? (
        <Empty title="What would an agent get?">
          <p>
            Type a task above, or try one of these:{" "}
            {EXAMPLES.map((example) => (
              <button key={example} type="button" class="link spaced" onClick={() => submit(example)}>
                {example}
              </button>
            ))}
          </p>
          <p>You see what each tool answers and why. Nothing here counts as usage.</p>
        </Empty>
      ) : answer.error !== undefined ? (
        <Failure error={answer.error} onRetry={answer.reload} />
      ) : answer.value === undefined ? (
        <Loading what="the answers" />
      ) : (
        <div class="answers">
          <FindPanel answer={answer.value.find} />
          <AllWordsPanel answer={answer.value.allWords} />
          <LibraryPanel answer={answer.value.getSkill} />
        </div>
      )}
      <DescriptionPanel />
    </div>
  );
}
