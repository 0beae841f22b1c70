import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "./copy-button.tsx";

/** The command or config that connects each client to this server. */
export function ConnectDialog({
  wantsToken,
  onClose,
}: {
  readonly wantsToken: boolean;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const url = new URL("mcp", document.baseURI.replace(/#.*$/, "")).href;
  const header = wantsToken ? ' --header "Authorization: Bearer $TOKEN"' : "";
  const lines = [
    ["Claude Code", `claude mcp add --transport http skills ${url}${header}`],
    ["Codex", `codex mcp add skills --url ${url}${wantsToken ? " --bearer-token-env-var TOKEN" : ""}`],
    [
      "Gemini CLI",
      `gemini mcp add --transport http skills ${url}${wantsToken ? ' -H "Authorization: Bearer $TOKEN"' : ""}`,
    ],
    [
      "Cursor, VS Code and others",
      JSON.stringify(
        {
          mcpServers: {
            skills: {
              type: "http",
              url,
              ...(wantsToken ? { headers: { Authorization: "Bearer <token>" } } : {}),
            },
          },
        },
        null,
        2,
      ),
    ],
  ] as const;
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
