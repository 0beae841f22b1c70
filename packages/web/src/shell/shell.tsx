import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProblemsAnswer } from "#server/wire";
import type { FeedState } from "../api/events.ts";
import { Icon } from "../icons/icon.tsx";
import { formatNumber } from "../parts/format.ts";
import { type Dashboard, mayChange, useDashboard } from "../state/context.ts";
import { routeHash } from "../state/route.ts";
import type { Appearance } from "../state/theme.ts";
import { LazyDialog } from "./lazy-dialog.tsx";
import type { Command } from "./palette.tsx";
import { SideNav, type ViewBadges } from "./side-nav.tsx";
import { TabBar } from "./tab-bar.tsx";
import { TopBar } from "./top-bar.tsx";
import { UnlockDialog } from "./unlock-dialog.tsx";
import { useKeys } from "./use-keys.ts";

/** A server that restarts is back within this time, and nobody needs to hear of it. */
const OFFLINE_AFTER_MS = 1_500;

/** Dialogs that any view opens. */
export type PageDialog = "connect" | "new-skill";

type ShellDialog = "palette" | "keys" | "unlock";

/** The frame around every view: navigation, header, keys and dialogs. */
export function Shell({
  feed,
  appearance,
  dialog: pageDialog,
  onDialog,
  onSignOut,
  onKey,
  onUndo,
  children,
}: {
  /** Undefined while nobody is signed in. */
  readonly feed: FeedState | undefined;
  readonly appearance: Appearance;
  readonly dialog: PageDialog | undefined;
  readonly onDialog: (dialog: PageDialog | undefined) => void;
  readonly onSignOut: (() => void) | undefined;
  /** Present while the page is read-only: takes the key that changes need. */
  readonly onKey: ((key: string) => Promise<boolean>) | undefined;
  readonly onUndo: () => void;
  readonly children: ComponentChildren;
}) {
  const { navigation, session, problems, waiting, connect, newSkill } = useDashboard();
  const [dialog, setDialog] = useState<{ readonly kind: ShellDialog; readonly id: number }>();
  const lastId = useRef(0);
  // The browser reports a moment later that a dialog was closed. By then another one, or the same one again, may be open.
  const open = (kind: ShellDialog) => (): void => {
    const isShown = dialog?.kind === kind && document.querySelector("dialog[open]") !== null;
    if (!isShown) setDialog({ kind, id: ++lastId.current });
  };
  const onClose = (): void => setDialog((shown) => (shown?.id === dialog?.id ? undefined : shown));
  const { view } = navigation.route;
  const badges = badgesOf(problems.value?.counts, waiting);
  useKeys({
    go: navigation.go,
    palette: open("palette"),
    help: open("keys"),
    undo: onUndo,
  });
  const { setTheme } = appearance;
  const actions: readonly Command[] = [
    { label: "Connect an agent", icon: "plug", run: connect },
    ...(mayChange(session) ? changesOf({ navigation, newSkill, waiting }) : []),
    {
      label: "Show broken skills",
      icon: "alert",
      run: () => navigation.go(routeHash("skills", { status: "broken" })),
    },
    { label: "Use the light theme", icon: "sun", run: () => setTheme("light") },
    { label: "Use the dark theme", icon: "moon", run: () => setTheme("dark") },
    { label: "Use the theme of the system", icon: "overview", run: () => setTheme("system") },
    { label: "Show the keyboard shortcuts", icon: "keyboard", keys: "?", run: open("keys") },
  ];
  return (
    <>
      <TopBar
        feed={feed}
        appearance={appearance}
        isReadOnly={onKey !== undefined}
        onPalette={open("palette")}
        onUnlock={open("unlock")}
        onConnect={connect}
        onNewSkill={mayChange(session) ? newSkill : undefined}
        onKeys={open("keys")}
        onSignOut={onSignOut}
      />
      <SideNav current={view} badges={badges} version={session?.version} />
      <main id="content">{children}</main>
      <TabBar current={view} badges={badges} />
      <OfflineNote feed={feed} />
      {dialog?.kind === "unlock" && onKey !== undefined ? (
        <UnlockDialog key={dialog.id} onKey={onKey} onClose={onClose} />
      ) : null}
      {dialog?.kind === "palette" ? (
        <LazyDialog
          key={dialog.id}
          load={async () => (await import("./palette.tsx")).Palette}
          props={{ actions, onClose }}
        />
      ) : null}
      {dialog?.kind === "keys" ? (
        <LazyDialog
          key={dialog.id}
          load={async () => (await import("./keys-dialog.tsx")).KeysDialog}
          props={{ onClose }}
        />
      ) : null}
      {pageDialog === "connect" ? (
        <LazyDialog
          load={async () => (await import("./connect-dialog.tsx")).ConnectDialog}
          props={{ onClose: () => onDialog(undefined) }}
        />
      ) : pageDialog === "new-skill" ? (
        <LazyDialog
          load={async () => (await import("../usage/new-skill-dialog.tsx")).NewSkillDialog}
          props={{ requests: NO_REQUESTS, onClose: () => onDialog(undefined) }}
        />
      ) : null}
    </>
  );
}

const NO_REQUESTS: readonly string[] = [];

/** What whoever may change something does here. */
function changesOf({
  navigation: { go },
  newSkill,
  waiting,
}: Pick<Dashboard, "navigation" | "newSkill" | "waiting">): readonly Command[] {
  return [
    { label: "New skill: write one", icon: "plus", run: newSkill },
    {
      label: "Install skills from a repository",
      icon: "download",
      run: () => go(routeHash("sources", { part: "add" })),
    },
    ...(waiting === undefined
      ? []
      : [
          {
            label: "Approve or reject skills that wait",
            icon: "shield" as const,
            run: () => go(routeHash("review")),
          },
        ]),
    {
      label: "Check for updates of sources",
      icon: "refresh",
      run: () => go(routeHash("sources", { check: "now" })),
    },
    {
      label: "Refresh: search every folder for skills now",
      icon: "refresh",
      run: () => go(routeHash("health", { refresh: "now" })),
    },
  ];
}

/** Errors alone: warnings can wait. And what somebody has to decide. */
function badgesOf(counts: ProblemsAnswer["counts"] | undefined, waiting = 0): ViewBadges {
  const errors = counts?.error ?? 0;
  const meaning = errors === 1 ? "error" : "errors";
  return {
    ...(errors === 0 ? {} : { health: { text: formatNumber(errors), meaning, tone: "bad" } }),
    ...(waiting === 0
      ? {}
      : { review: { text: formatNumber(waiting), meaning: "waiting for approval", tone: "accent" } }),
  };
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
