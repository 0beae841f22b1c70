import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ProblemsAnswer, ReviewAnswer, SessionAnswer } from "#server/wire";
import { createClient, messageOf } from "./api/client.ts";
import { type FeedState, listenForEvents } from "./api/events.ts";
import { Failure } from "./parts/notice.tsx";
import { isWaiting } from "./review/waiting.ts";
import { type PageDialog, Shell } from "./shell/shell.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { type Toast, Toasts } from "./shell/toasts.tsx";
import { UnknownPage } from "./shell/unknown-page.tsx";
import { ViewSlot } from "./shell/view-slot.tsx";
import { DashboardContext, mayChange, type Notify } from "./state/context.ts";
import { readKey, saveKey, takeKeyFromAddress } from "./state/key.ts";
import { useNavigation } from "./state/navigation.ts";
import { reloadIfOutdated } from "./state/outdated.ts";
import { VIEWS } from "./state/route.ts";
import { useAppearance } from "./state/theme.ts";
import { readToken, saveToken } from "./state/token.ts";
import { type Resource, useResource } from "./state/use-resource.ts";

export function DashboardApp() {
  const navigation = useNavigation();
  const appearance = useAppearance();
  const [signIn, setSignIn] = useState<"no" | "asked" | "refused">(() =>
    // The server says so in the page: a request would fail.
    document.documentElement.hasAttribute("data-sign-in") && readToken() === null ? "asked" : "no",
  );
  const [login, setLogin] = useState(0);
  const [generation, setGeneration] = useState(0);
  const [feed, setFeed] = useState<FeedState>("connecting");
  const [dialog, setDialog] = useState<PageDialog>();
  const { toast, notify, dismiss, undo } = useToast();

  const client = useMemo(
    () =>
      createClient({
        token: readToken,
        key: readKey,
        onUnauthorised: () => setSignIn(readToken() === null ? "asked" : "refused"),
      }),
    [],
  );
  const session = useResource(signIn === "asked" ? undefined : "session", login, (signal) =>
    client.get<SessionAnswer>("session", {}, signal),
  );
  useRetryWhileOffline(session);
  const isSignedIn = session.value !== undefined && signIn === "no";
  const reload = (): void => setGeneration((old) => old + 1);
  const isLater = useLater(isSignedIn);
  const problems = useResource(isLater ? "problems" : undefined, generation, (signal) =>
    client.get<ProblemsAnswer>("problems", {}, signal),
  );
  const isReviewer = session.value?.review === true && mayChange(session.value);
  const review = useResource(isLater && isReviewer ? "review" : undefined, generation, (signal) =>
    client.get<ReviewAnswer>("review", {}, signal),
  );

  // The address that `serve` prints may be pasted into this tab, which changes nothing but the fragment.
  useLayoutEffect(() => {
    const onChange = (): void => {
      if (takeKeyFromAddress()) setLogin((old) => old + 1);
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);

  useEffect(() => {
    if (!isSignedIn) return undefined;
    const since = session.value?.changes ?? 0;
    const onReturn = (): void => void reloadIfOutdated();
    return listenForEvents({ client, since, onState: setFeed, onEvent: reload, onReturn });
  }, [isSignedIn, client]);

  const { view, unknown } = navigation.route;
  const title = signIn !== "no" ? "Sign in" : unknown === undefined ? VIEWS[view] : "No such page";
  useEffect(() => {
    document.title = `${title} · skills-mcp`;
  }, [title]);

  const signInWith = (token: string): void => {
    saveToken(token);
    setSignIn("no");
    setLogin((old) => old + 1);
  };
  const unlockWith = async (key: string): Promise<boolean> => {
    saveKey(key);
    const { needsKey = false } = await client.get<SessionAnswer>("session");
    if (!needsKey) setLogin((old) => old + 1);
    return !needsKey;
  };
  const signOut = (): void => {
    saveToken(undefined);
    setSignIn("asked");
  };

  if (signIn !== "no") return <SignIn isRefused={signIn === "refused"} onToken={signInWith} />;
  return (
    <DashboardContext.Provider
      value={{
        client,
        session: session.value,
        navigation,
        generation,
        reload,
        problems,
        waiting: review.value?.skills.filter(isWaiting).length,
        isDark: appearance.isDark,
        notify,
        connect: () => setDialog("connect"),
        newSkill: () => setDialog("new-skill"),
      }}
    >
      <Shell
        feed={isSignedIn ? feed : undefined}
        appearance={appearance}
        dialog={dialog}
        onDialog={setDialog}
        onSignOut={readToken() === null ? undefined : signOut}
        onKey={session.value?.needsKey === true ? unlockWith : undefined}
        onUndo={undo}
      >
        {session.error !== undefined && session.value === undefined ? (
          <div class="page">
            <h1>{VIEWS[view]}</h1>
            <Failure error={session.error} onRetry={session.reload} />
          </div>
        ) : unknown === undefined ? (
          <ViewSlot view={view} />
        ) : (
          <UnknownPage address={unknown} />
        )}
      </Shell>
      <Toasts toast={toast} onClose={dismiss} onUndo={undo} />
    </DashboardContext.Provider>
  );
}

const RETRY_MS = 2_000;

/** Before the first answer there are no events that tell when the server is back. */
function useRetryWhileOffline({ value, error, isLoading, reload }: Resource<unknown>): void {
  const isWaiting = value === undefined && error?.code === "offline" && !isLoading;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(reload, RETRY_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
}

/** The server reads every file for what is wrong and what waits, so that the first view goes first. */
const LATER_MS = 700;

function useLater(isSignedIn: boolean): boolean {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const timer = setTimeout(() => setTime(true), LATER_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn]);
  return isSignedIn && isTime;
}

/** One message at a time: the last one. */
function useToast(): {
  readonly toast: Toast | undefined;
  readonly notify: Notify;
  readonly dismiss: () => void;
  readonly undo: () => void;
} {
  const [toast, setToast] = useState<Toast>();
  const last = useRef(0);
  const notify: Notify = (text, options = {}) => {
    last.current += 1;
    setToast({ ...options, text, id: last.current });
  };
  return {
    toast,
    notify,
    dismiss: () => setToast(undefined),
    undo() {
      setToast(undefined);
      // Somebody may have changed it since.
      Promise.resolve(toast?.undo?.()).catch((error: unknown) => notify(messageOf(error)));
    },
  };
}
