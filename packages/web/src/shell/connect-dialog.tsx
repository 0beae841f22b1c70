import { useEffect, useRef } from "preact/hooks";
import { connectJson, connectLines } from "#agents/pure";
import { CopyButton } from "../parts/copy-button.tsx";
import { startOf, useDashboard } from "../state/context.ts";

/** The command or config that connects each client to this server. */
export function ConnectDialog({
  wantsToken,
  onClose,
}: {
  readonly wantsToken: boolean;
  readonly onClose: () => void;
}) {
  const { shown: ours } = startOf(useDashboard().session);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const url = new URL("mcp", document.baseURI.replace(/#.*$/, "")).href;
  const connection = { kind: "http", url, ...(wantsToken ? { token: "<token>" } : {}) } as const;
  const lines = [
    ...(wantsToken ? [] : [["All clients on your machine", `${ours} connect --http ${url}`] as const]),
    ...connectLines(connection, ours).flatMap(({ title, command }) =>
      command === undefined ? [] : [[title, command] as const],
    ),
    ["VS Code, in mcp.json", connectJson("vscode", connection)] as const,
    ["Cursor and others", connectJson("cursor", connection)] as const,
  ];
  return (
    <dialog ref={dialog} class="connect" aria-labelledby="connect-title" onClose={onClose}>
      <header>
        <h2 id="connect-title">Connect an agent</h2>
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p class="muted">
        MCP endpoint of this server: <code>{url}</code>
      </p>
      {lines.map(([name, line]) => (
        <div key={name} class="snippet">
          <div>
            <h3>{name}</h3>
            <CopyButton text={line} what={`the configuration for ${name}`} />
          </div>
          <pre tabIndex={0}>{line}</pre>
        </div>
      ))}
    </dialog>
  );
}
