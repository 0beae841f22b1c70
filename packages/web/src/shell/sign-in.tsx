import { useState } from "preact/hooks";
import { Logo } from "../icons/icon.tsx";

export function SignIn({
  isRefused,
  onToken,
}: {
  readonly isRefused: boolean;
  readonly onToken: (token: string) => void;
}) {
  const [token, setToken] = useState("");
  return (
    <main class="sign-in">
      <span class="brand">
        <Logo />
        skills-mcp
      </span>
      <h1>Sign in</h1>
      <p>
        This server requires a bearer token. Ask its administrator for one: they are in the token file, one{" "}
        <code>name:token</code> per line.
      </p>
      {isRefused ? <p role="alert">The server rejected this token. Check it, or ask for a new one.</p> : null}
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
      <p class="muted">The token is stored until you close this tab and is only sent to this server.</p>
    </main>
  );
}
