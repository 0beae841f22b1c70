import { useState } from "preact/hooks";

/** Asks for the bearer token that the server wants. */
export function SignIn({
  isRefused,
  onToken,
}: {
  readonly isRefused: boolean;
  readonly onToken: (token: string) => void;
}) {
  const [token, setToken] = useState("");
  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      <p>
        This server wants a bearer token. Whoever runs it keeps them in its token file, one{" "}
        <code>name:token</code> a line.
      </p>
      {isRefused ? (
        <p role="alert">The server does not take this token. Check it, or ask for another.</p>
      ) : null}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") onToken(token.trim());
        }}
      >
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
      <p class="muted">It is kept until this tab is closed, and sent to this server only.</p>
    </div>
  );
}
