import { useState } from "preact/hooks";
import type { FeedState } from "./api/events.ts";
import { ConnectDialog } from "./parts/connect-dialog.tsx";
import { useDashboard } from "./state/context.ts";
import { routeHash, VIEWS, type View } from "./state/route.ts";
import type { Theme } from "./state/theme.ts";
import { readToken } from "./state/token.ts";

const FEED: Readonly<Record<FeedState, { readonly label: string; readonly meaning: string }>> = {
  connecting: { label: "Connecting", meaning: "Connecting to the server." },
  live: { label: "Live", meaning: "Changes on disk appear automatically." },
  lost: { label: "Offline", meaning: "The server is not responding; retrying." },
};

const THEMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

export function Header({
  feed,
  theme,
  onTheme,
  version,
  isSignedIn,
  onSignOut,
}: {
  readonly feed: FeedState;
  readonly theme: Theme;
  readonly onTheme: () => void;
  readonly version: string | undefined;
  readonly isSignedIn: boolean;
  readonly onSignOut?: () => void;
}) {
  const { navigation } = useDashboard();
  const [connecting, setConnecting] = useState(false);
  return (
    <header class="top">
      <a class="skip" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      <span class="brand" title={version === undefined ? undefined : `skills-mcp ${version}`}>
        skills-mcp
      </span>
      <nav aria-label="Views">
        {(Object.keys(VIEWS) as View[]).map((view) => (
          <a
            key={view}
            href={routeHash(view)}
            {...(navigation.route.view === view ? { "aria-current": "page" as const } : {})}
          >
            {VIEWS[view]}
          </a>
        ))}
      </nav>
      <span class="tools">
        {isSignedIn ? (
          <span class={`feed ${feed}`} title={FEED[feed].meaning}>
            {FEED[feed].label}
          </span>
        ) : null}
        <button type="button" class="small" onClick={() => setConnecting(true)}>
          Connect
        </button>
        <button
          type="button"
          class="small"
          onClick={onTheme}
          aria-label={`Theme: ${THEMES[theme]}. Change theme`}
          title="Theme"
        >
          ◐ {THEMES[theme]}
        </button>
        {onSignOut === undefined ? null : (
          <button type="button" class="small" onClick={onSignOut}>
            Sign out
          </button>
        )}
      </span>
      {connecting ? (
        <ConnectDialog
          wantsToken={!isSignedIn || readToken() !== null}
          onClose={() => setConnecting(false)}
        />
      ) : null}
    </header>
  );
}

/** The URL fragment contains the page state, so the skip link must not change it. */
function skipToContent(event: Event): void {
  event.preventDefault();
  const content = document.querySelector<HTMLElement>("#content");
  content?.setAttribute("tabindex", "-1");
  content?.focus();
}
