import { useEffect, useState } from "preact/hooks";
import type { ConnectAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { messageOf } from "../api/client.ts";
import { Icon } from "../icons/icon.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { ResourceView } from "../parts/notice.tsx";
import { TerminalLine } from "../parts/terminal-line.tsx";
import { useDashboard } from "../state/context.ts";
import { useResource } from "../state/use-resource.ts";

type Agent = ConnectAnswer["agents"][number];

/** An agent that connects sends no event to this page. */
const POLL_MS = 2_000;

/** The agents that are installed on this machine: what connecting them would write, and whether they talk to this server. */
export function ConnectAgents() {
  const { client } = useDashboard();
  const [polls, setPolls] = useState(0);
  const [added, setAdded] = useState<readonly string[]>([]);
  const found = useResource("connect", polls, (signal) => client.get<ConnectAnswer>("connect", {}, signal));
  useEffect(() => {
    const timer = setInterval(() => setPolls((old) => old + 1), POLL_MS);
    return () => clearInterval(timer);
  }, []);
  const onChanged = (id: string, isConnected: boolean): void => {
    setAdded((old) => [...old.filter((each) => each !== id), ...(isConnected ? [id] : [])]);
    setPolls((old) => old + 1);
  };
  return (
    <ResourceView resource={found} what="the agents of this machine">
      {({ agents }) =>
        agents.length === 0 ? (
          <p>No agent that skills-mcp knows is installed on this machine.</p>
        ) : (
          <ul class="plain connect-agents">
            {agents.map((agent) => (
              <AgentRow key={agent.id} agent={agent} isNew={added.includes(agent.id)} onChanged={onChanged} />
            ))}
          </ul>
        )
      }
    </ResourceView>
  );
}

function AgentRow({
  agent,
  isNew,
  onChanged,
}: {
  readonly agent: Agent;
  /** Whether it was connected in this dialog. */
  readonly isNew: boolean;
  readonly onChanged: (id: string, isConnected: boolean) => void;
}) {
  const { client, reload } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  // Not as a message of the page: that is below this dialog, where nobody can reach its buttons.
  const [done, setDone] = useState<{ readonly text: string; readonly command?: string }>();
  const { id, title, file, state, isHere, plan } = agent;
  // One that talks to this server is set up in another way, such as in a project.
  const shown = isHere ? undefined : plan;
  const send = async (isConnecting: boolean): Promise<void> => {
    setBusy(true);
    try {
      const { done: change } = isConnecting
        ? await client.post<ConnectAnswer>("connect/add", { agent: id, seen: plan?.seen })
        : await client.post<ConnectAnswer>("connect/remove", { agent: id });
      if (change !== undefined)
        setDone({ text: isConnecting ? change.next : "Disconnected.", command: change.command });
      onChanged(id, isConnecting);
      reload();
    } catch (error) {
      setDone({ text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <li aria-busy={isBusy}>
      <div class="line">
        <strong>{title}</strong>
        <span role="status">
          {isHere ? (
            <span class="badge good">
              <Icon name="check" size={12} />
              connected
            </span>
          ) : state === "connected" ? (
            <span class="badge">{isNew ? "waiting for it to connect …" : "set up"}</span>
          ) : null}
        </span>
        <code class="path">{file}</code>
        {state === "connected" ? (
          <button type="button" class="small" disabled={isBusy} onClick={() => void send(false)}>
            {isNew ? "Undo" : "Disconnect"}
            <span class="visually-hidden"> {title}</span>
          </button>
        ) : shown === undefined || shown.reason !== undefined ? null : (
          <button type="button" class="small primary" disabled={isBusy} onClick={() => void send(true)}>
            Connect {title}
          </button>
        )}
      </div>
      <div role="status">
        {done === undefined ? null : (
          <>
            <p>{done.text}</p>
            {done.command === undefined ? null : <TerminalLine command={done.command} />}
          </>
        )}
      </div>
      {shown === undefined ? null : shown.reason === undefined ? (
        <DiffView diff={shown.diff.join("\n")} label={`What connecting ${title} changes`} />
      ) : (
        <>
          <p>{shown.reason}</p>
          <TerminalLine command={commandText(["connect", id, "--force"])} />
        </>
      )}
      {shown?.how === "own" && shown.reason === undefined ? (
        <p class="muted">It starts skills-mcp itself, so it does not appear on this page.</p>
      ) : null}
    </li>
  );
}
