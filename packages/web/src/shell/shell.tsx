import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ProblemCounts } from "#server/wire";
import type { FeedState } from "../api/events.ts";
import { Icon } from "../icons/icon.tsx";
import { formatNumber } from "../parts/format.ts";
import { useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import type { Appearance } from "../state/theme.ts";
import { readToken } from "../state/token.ts";
import { LazyDialog } from "./lazy-dialog.tsx";
import type { Command } from "./palette.tsx";
import { SideNav, type ViewBadges } from "./side-nav.tsx";
import { TabBar } from "./tab-bar.tsx";
import { TopBar } from "./top-bar.tsx";
import { UnlockDialog } from "./unlock-dialog.tsx";
import { useKeys } from "./use-keys.ts";

/** A server that restarts is back within this time, and nobody needs to hear of it. */
const OFFLINE_AFTER_MS = 1_500;

type ShellDialog = "palette" | "keys" | "unlock";

/** The frame around every view: navigation, header, keys and dialogs. */
export function Shell({
  feed,
  appearance,
  isConnecting,
  onConnecting,
  onSignOut,
  onKey,
  onUndo,
  children,
}: {
  /** Undefined while nobody is signed in. */
  readonly feed: FeedState | undefined;
  readonly appearance: Appearance;
  readonly isConnecting: boolean;
  readonly onConnecting: (isOpen: boolean) => void;
  readonly onSignOut: (() => void) | undefined;
  /** Present while the page is read-only: takes the key that changes need. */
  readonly onKey: ((key: string) => Promise<boolean>) | undefined;
  readonly onUndo: () => void;
  readonly children: ComponentChildren;
}) {
  const { navigation, session, problems } = useDashboard();
  const [dialog, setDialog] = useState<ShellDialog>();
  // The browser says that a dialog was closed a moment later, when another one may be open already.
  const closing = (closed: ShellDialog) => (): void =>
    setDialog((open) => (open === closed ? undefined : open));
  const { view } = navigation.route;
  const badges = badgesOf(problems.value?.counts);
  const isSignedIn = feed !== undefined;
  useKeys({
    go: navigation.go,
    palette: () => setDialog("palette"),
    help: () => setDialog("keys"),
    undo: onUndo,
  });
  const { setTheme } = appearance;
  const actions: readonly Command[] = [
    { label: "Connect an agent", icon: "plug", run: () => onConnecting(true) },
    {
      label: "Check for updates of sources",
      icon: "refresh",
      run: () => navigation.go(routeHash("sources", { check: "now" })),
    },
    { label: "Use the light theme", icon: "sun", run: () => setTheme("light") },
    { label: "Use the dark theme", icon: "moon", run: () => setTheme("dark") },
    { label: "Use the theme of the system", icon: "overview", run: () => setTheme("system") },
    { label: "Show the keyboard shortcuts", icon: "keyboard", keys: "?", run: () => setDialog("keys") },
  ];
  return (
    <>
      <TopBar
        feed={feed}
        appearance={appearance}
        isReadOnly={onKey !== undefined}
        onPalette={() => setDialog("palette")}
        onUnlock={() => setDialog("unlock")}
        onConnect={() => onConnecting(true)}
        onKeys={() => setDialog("keys")}
        onSignOut={onSignOut}
      />
      <SideNav current={view} badges={badges} version={session?.version} />
      <main id="content">{children}</main>
      <TabBar current={view} badges={badges} />
      <OfflineNote feed={feed} />
      {dialog === "unlock" && onKey !== undefined ? (
        <UnlockDialog onKey={onKey} onClose={closing("unlock")} />
      ) : null}
      {dialog === "palette" ? (
        <LazyDialog
          load={async () => (await import("./palette.tsx")).Palette}
          props={{ actions, onClose: closing("palette") }}
        />
      ) : null}
      {dialog === "keys" ? (
        <LazyDialog
          load={async () => (await import("./keys-dialog.tsx")).KeysDialog}
          props={{ onClose: closing("keys") }}
        />
      ) : null}
      {isConnecting ? (
        <LazyDialog
          load={async () => (await import("./connect-dialog.tsx")).ConnectDialog}
          props={{
            wantsToken: !isSignedIn || readToken() !== null,
            onClose: () => onConnecting(false),
          }}
        />
      ) : null}
    </>
  );
}

/** Errors, or else warnings: the same numbers as in Health. */
function badgesOf(counts: ProblemCounts | undefined): ViewBadges {
  if (counts === undefined || counts.error + counts.warning === 0) return {};
  const [number, what, tone] =
    counts.error > 0
      ? ([counts.error, "error", "bad"] as const)
      : ([counts.warning, "warning", "warn"] as const);
  return { health: { text: formatNumber(number), meaning: number === 1 ? what : `${what}s`, tone } };
}

function OfflineNote({ feed }: { readonly feed: FeedState | undefined }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (feed !== "lost") {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), OFFLINE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [feed]);
  return (
    <div role="status">
      {isShown ? (
        <p class="offline-note">
          <Icon name="offline" />
          The server is not responding. You see what it sent last; the page continues when it is back.
        </p>
      ) : null}
    </div>
  );
}
