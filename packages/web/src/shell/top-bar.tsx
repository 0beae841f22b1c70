import type { SessionAnswer } from "#server/wire";
import type { FeedState } from "../api/events.ts";
import { Icon, Logo } from "../icons/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { mayChange, useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import { type Appearance, CONTRASTS, type Contrast, THEMES, type Theme } from "../state/theme.ts";

const FEED: Readonly<Record<FeedState, { readonly label: string; readonly meaning: string }>> = {
  connecting: { label: "Connecting", meaning: "Connecting to the server." },
  live: { label: "Live", meaning: "Changes on disk appear automatically." },
  lost: { label: "Offline", meaning: "The server is not responding; retrying." },
};

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};
const CONTRAST_LABELS: Readonly<Record<Contrast, string>> = {
  system: "System",
  normal: "Normal",
  more: "High",
};

/** Above the content: the command palette, the state of the connection, and what concerns the whole page. */
export function TopBar({
  feed,
  appearance,
  isReadOnly,
  onPalette,
  onUnlock,
  onConnect,
  onNewSkill,
  onKeys,
  onSignOut,
}: {
  /** Undefined while nobody is signed in. */
  readonly feed: FeedState | undefined;
  readonly appearance: Appearance;
  /** Whether changes need a key that this page lacks. */
  readonly isReadOnly: boolean;
  readonly onPalette: () => void;
  readonly onUnlock: () => void;
  readonly onConnect: () => void;
  /** Undefined where nothing may be changed. */
  readonly onNewSkill: (() => void) | undefined;
  readonly onKeys: () => void;
  /** Undefined where there is no token. */
  readonly onSignOut: (() => void) | undefined;
}) {
  const { theme, contrast, isDark, setTheme, setContrast } = appearance;
  const { session } = useDashboard();
  return (
    <header class="top">
      <a class="skip" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      <a class="brand" href={routeHash("overview")} aria-label="skills-mcp, overview">
        <Logo size={24} />
      </a>
      <button type="button" class="find" aria-keyshortcuts="Control+K Meta+K" onClick={onPalette}>
        <Icon name="search" />
        <span>Search or jump to …</span>
        <kbd aria-hidden="true">{isMac() ? "⌘ K" : "Ctrl K"}</kbd>
      </button>
      <span class="tools">
        {feed === undefined ? null : (
          <span class={`feed ${feed}`} title={FEED[feed].meaning}>
            {FEED[feed].label}
          </span>
        )}
        {session?.caller === undefined ? null : (
          <Menu
            label={`Account ${session.caller} ${mayChange(session) ? "admin" : "read"}`}
            class="small"
            groups={[
              {
                title: `${session.caller}: ${rightsOf(session)}`,
                items:
                  onSignOut === undefined
                    ? []
                    : [{ label: "Sign out", icon: "lock" as const, onChoose: onSignOut }],
              },
            ]}
          >
            <span class="account">
              {session.caller} <span class="muted">{mayChange(session) ? "admin" : "read"}</span>
            </span>
          </Menu>
        )}
        {isReadOnly ? (
          <button type="button" class="small" title="How to make changes here" onClick={onUnlock}>
            <Icon name="lock" size={14} />
            Read-only
          </button>
        ) : null}
        <Menu
          label="Appearance and help"
          groups={[
            {
              title: "Theme",
              items: THEMES.map((each) => ({
                label: THEME_LABELS[each],
                isChosen: each === theme,
                onChoose: () => setTheme(each),
              })),
            },
            {
              title: "Contrast",
              items: CONTRASTS.map((each) => ({
                label: CONTRAST_LABELS[each],
                isChosen: each === contrast,
                onChoose: () => setContrast(each),
              })),
            },
            {
              title: "Page",
              items: [
                { label: "Keyboard shortcuts", icon: "keyboard" as const, onChoose: onKeys },
                ...(onSignOut === undefined || session?.caller !== undefined
                  ? []
                  : [{ label: "Sign out", icon: "lock" as const, onChoose: onSignOut }]),
              ],
            },
          ]}
        >
          <Icon name={isDark ? "moon" : "sun"} />
        </Menu>
        {onNewSkill === undefined ? null : (
          <button type="button" class="new" title="New skill" onClick={onNewSkill}>
            <Icon name="plus" size={14} />
            <span>New skill</span>
          </button>
        )}
        <button type="button" class="primary" onClick={onConnect}>
          <Icon name="plug" size={14} />
          Connect
        </button>
      </span>
    </header>
  );
}

export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

/** What somebody may do here, and which skills they are served. */
function rightsOf(session: SessionAnswer): string {
  const rights = mayChange(session) ? "sees and changes everything" : "may read";
  return session.profile === undefined ? rights : `${rights}, profile ${session.profile}`;
}

/** The URL fragment contains the page state, so the skip link must not change it. */
function skipToContent(event: Event): void {
  event.preventDefault();
  const content = document.querySelector<HTMLElement>("#content");
  content?.setAttribute("tabindex", "-1");
  content?.focus();
}
