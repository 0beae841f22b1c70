import { useEffect, useRef, useState } from "preact/hooks";
import { connectJson, connectLines, connectLink } from "#agents/pure";
import { CopyButton } from "../parts/copy-button.tsx";
import { mayChange, startOf, useDashboard } from "../state/context.ts";
import { readToken } from "../state/token.ts";
import { ConnectAgents } from "./connect-agents.tsx";

/** Connects the agents of this machine; for every other one there is a link, a command or the text of its configuration. */
export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const { session } = useDashboard();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const url = new URL("mcp", document.baseURI.replace(/#.*$/, "")).href;
  const hasTokens = readToken() !== null;
  return (
    <dialog ref={dialog} class="connect" aria-labelledby="connect-title" onClose={onClose}>
      <header>
        <h2 id="connect-title">Connect an agent</h2>
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      {!hasTokens && mayChange(session) ? <ConnectAgents /> : null}
      <OtherAgents url={url} hasTokens={hasTokens} />
      <p class="muted">
        MCP endpoint of this server: <code>{url}</code>
      </p>
    </dialog>
  );
}

function OtherAgents({ url, hasTokens }: { readonly url: string; readonly hasTokens: boolean }) {
  const { shown: ours } = startOf(useDashboard().session);
  const [chosen, setChosen] = useState("");
  const connection = { kind: "http", url, ...(hasTokens ? { token: "<token>" } : {}) } as const;
  const lines: readonly (readonly [title: string, text: string])[] = [
    ...(hasTokens ? [] : [["Every agent of a machine", `${ours} connect --http ${url}`] as const]),
    ...connectLines(connection, ours).flatMap(({ title, command }) =>
      command === undefined ? [] : [[title, command] as const],
    ),
    ["VS Code, in mcp.json", connectJson("vscode", connection)],
    ["Cursor and others, in mcp.json", connectJson("cursor", connection)],
  ];
  const line = lines.find(([title]) => title === chosen);
  return (
    <section class="connect-other">
      <div class="line">
        {hasTokens ? null : (
          <>
            <a class="button" href={connectLink("cursor", connection)}>
              Add to Cursor
            </a>
            <a class="button" href={connectLink("vscode", connection)}>
              Add to VS Code
            </a>
          </>
        )}
        <label>
          By hand:{" "}
          <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">choose an agent</option>
            {lines.map(([title]) => (
              <option key={title}>{title}</option>
            ))}
          </select>
        </label>
      </div>
      {line === undefined ? null : (
        <div class="snippet">
          <div>
            <h3>{line[0]}</h3>
            <CopyButton text={line[1]} what={`the configuration for ${line[0]}`} />
          </div>
          <pre tabIndex={0}>{line[1]}</pre>
        </div>
      )}
    </section>
  );
}
