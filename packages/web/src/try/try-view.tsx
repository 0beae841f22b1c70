import { useEffect, useRef, useState } from "preact/hooks";
import type { ModelAnswer, TryAnswer } from "#server/wire";
import { Icon } from "../icons/icon.tsx";
import { Empty, Failure, Loading } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { useDashboard } from "../state/context.ts";
import { useAudiences } from "../state/use-audiences.ts";
import { useResource } from "../state/use-resource.ts";
import { Answers } from "./answers.tsx";

const EXAMPLES = ["merge two pdf files", "review a pull request", "write release notes"] as const;

/** Whose tools answer: a client, and a profile if there are any. */
export interface Side {
  readonly client: string;
  readonly version: string;
  readonly profile: string;
}

/** Type a task and see what each tool of a client would answer. It is not recorded as usage. */
export function TryView() {
  const { navigation } = useDashboard();
  const { params } = navigation.route;
  const task = params.get("task") ?? "";
  const [typed, setTyped] = useState(task);
  const last = useRef(task);
  useEffect(() => {
    // Not at the start: what was typed before the first effect would be lost.
    if (last.current !== task) setTyped(task);
    last.current = task;
  }, [task]);
  const submit = (text: string): void => navigation.change({ task: text.trim() });
  const first = sideIn(params, "");
  const second = params.get("compare") === "1" ? sideIn(params, "2") : undefined;

  return (
    <div class="page">
      <PageHeader title="Try it">
        What an agent gets for a task, with the tools that it really has. Nothing here counts as usage.
      </PageHeader>
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
            data-search
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
      <Sides first={first} second={second} />
      {task === "" ? (
        <Empty title="What would an agent get?" icon="try">
          <p>
            Type a task above, or try one of these:{" "}
            {EXAMPLES.map((example) => (
              <button key={example} type="button" class="link spaced" onClick={() => submit(example)}>
                {example}
              </button>
            ))}
          </p>
        </Empty>
      ) : (
        <div class={second === undefined ? "" : "compare"}>
          <Column task={task} side={first} isCompared={second === undefined ? false : "first"} />
          {second === undefined ? null : <Column task={task} side={second} isCompared="second" />}
        </div>
      )}
    </div>
  );
}

function sideIn(params: URLSearchParams, suffix: string): Side {
  return {
    client: params.get(`client${suffix}`) || "claude-code",
    version: params.get(`version${suffix}`) ?? "",
    profile: params.get(`profile${suffix}`) ?? "",
  };
}

/** Who is asked: one client, or two side by side. */
function Sides({ first, second }: { readonly first: Side; readonly second: Side | undefined }) {
  const { client, navigation, generation } = useDashboard();
  const choices = useResource("clients", generation, (signal) =>
    client.get<ModelAnswer>("model", {}, signal),
  ).value;
  const audiences = useAudiences();
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    navigation.change(changes, { replace: true });
  const controls = (side: Side, suffix: string, title: string) => (
    <div class="try-side" role="group" aria-label={title}>
      <label>
        <span>{title}</span>
        <select
          value={side.client}
          onChange={(event) =>
            change({ [`client${suffix}`]: event.currentTarget.value, [`version${suffix}`]: undefined })
          }
        >
          {(choices?.clients ?? [{ name: side.client, title: side.client }]).map((each) => (
            <option key={each.name} value={each.name}>
              {each.title}
            </option>
          ))}
        </select>
      </label>
      {(audiences?.profiles ?? []).length === 0 && side.profile === "" ? null : (
        <label>
          <span>Profile</span>
          <select
            value={side.profile}
            onChange={(event) => change({ [`profile${suffix}`]: event.currentTarget.value || undefined })}
          >
            <option value="">none</option>
            {audiences?.profiles.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
  return (
    <div class="controls sides">
      {controls(first, "", "Client")}
      {second === undefined ? (
        <button type="button" class="small" onClick={() => change({ compare: "1" })}>
          <Icon name="plus" size={13} />
          Compare with another
        </button>
      ) : (
        <>
          {controls(second, "2", "Compared with")}
          <button
            type="button"
            class="small"
            onClick={() =>
              change({ compare: undefined, client2: undefined, version2: undefined, profile2: undefined })
            }
          >
            <Icon name="cross" size={13} />
            End the comparison
          </button>
        </>
      )}
    </div>
  );
}

function Column({
  task,
  side,
  isCompared,
}: {
  readonly task: string;
  readonly side: Side;
  readonly isCompared: false | "first" | "second";
}) {
  const { client, generation } = useDashboard();
  const params = {
    task,
    client: side.client,
    version: side.version || undefined,
    ...(side.profile === "" ? {} : { profile: side.profile }),
  };
  const answer = useResource(JSON.stringify(params), generation, (signal) =>
    client.get<TryAnswer>("try", params, signal),
  );
  if (answer.error !== undefined) return <Failure error={answer.error} onRetry={answer.reload} />;
  if (answer.value === undefined) return <Loading what="the answers" />;
  return <Answers answer={answer.value} isCompared={isCompared} profile={side.profile} />;
}
