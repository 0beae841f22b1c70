import { useEffect, useRef, useState } from "preact/hooks";
import { keyIn } from "../state/key.ts";

/** Says why this page is read-only, and takes the key that makes it writable. */
export function UnlockDialog({
  onKey,
  onClose,
}: {
  /** Whether the server accepts it. */
  readonly onKey: (key: string) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => dialog.current?.showModal(), []);

  const send = async (): Promise<void> => {
    const key = keyIn(text);
    if (key === undefined)
      return setProblem("That isn't a dashboard address. It should end with #key= and 32 characters.");
    const isAccepted = await onKey(key).catch(() => false);
    return setProblem(isAccepted ? "" : "The server does not accept this key. Is it for a different server?");
  };
  return (
    <dialog ref={dialog} class="unlock" aria-labelledby="unlock-title" onClose={onClose}>
      <header>
        <h2 id="unlock-title">This page is read-only</h2>
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p>
        Anyone on this machine can open this page, so enabling, disabling and refreshing need a key. Open the
        dashboard address that <code>skills-mcp serve</code> printed (it ends with <code>#key=…</code>), or
        paste it here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label for="key">Address or key</label>
        <input
          id="key"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Allow changes
        </button>
      </form>
      {problem === "" ? null : <p role="alert">{problem}</p>}
      <p class="muted">
        The key is also in the file <code>~/.skills-mcp/dashboard-key</code> of whoever started the server.
        This tab stores it until you close it.
      </p>
    </dialog>
  );
}
