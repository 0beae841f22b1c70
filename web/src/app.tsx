import { useEffect, useMemo, useState } from "preact/hooks";
import type { SessionAnswer } from "../../src/http/api/wire.ts";
import { createClient } from "./api/client.ts";
import { type FeedState, listenForEvents } from "./api/events.ts";
import { Header } from "./header.tsx";
import { HealthView } from "./health/health-view.tsx";
import { SignIn } from "./sign-in.tsx";
import { SkillsView } from "./skills/skills-view.tsx";
import { DashboardContext } from "./state/context.ts";
import { useNavigation } from "./state/navigation.ts";
import { VIEWS } from "./state/route.ts";
import { useTheme } from "./state/theme.ts";
import { readToken, saveToken } from "./state/token.ts";
import { useResource } from "./state/use-resource.ts";
import { TryView } from "./try/try-view.tsx";
import { UsageView } from "./usage/usage-view.tsx";

const TOAST_MS = 3_000;

export function DashboardApp() {
  const navigation = useNavigation();
  const { theme, isDark, next } = useTheme();
  const [signIn, setSignIn] = useState<"no" | "asked" | "refused">("no");
  const [login, setLogin] = useState(0);
  const [generation, setGeneration] = useState(0);
  const [feed, setFeed] = useState<FeedState>("connecting");
  const [toast, setToast] = useState("");

  const client = useMemo(
    () =>
      createClient({
        token: readToken,
        onUnauthorised: () => setSignIn(readToken() === null ? "asked" : "refused"),
      }),
    [],
  );
  const session = useResource("session", login, (signal) => client.get<SessionAnswer>("session", {}, signal));
  const isSignedIn = session.value !== undefined && signIn === "no";

  useEffect(() => {
    if (!isSignedIn) return undefined;
    return listenForEvents({ client, onState: setFeed, onEvent: () => setGeneration((old) => old + 1) });
  }, [isSignedIn, client]);

  useEffect(() => {
    if (toast === "") return undefined;
    const timer = setTimeout(() => setToast(""), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);

  const { view } = navigation.route;
  const Content = CONTENTS[view];
  useEffect(() => {
    document.title = `${VIEWS[view]} · skills-mcp`;
  }, [view]);

  const signInWith = (token: string): void => {
    saveToken(token);
    setSignIn("no");
    setLogin((old) => old + 1);
  };
  const signOut = (): void => {
    saveToken(undefined);
    setSignIn("asked");
  };

  return (
    <DashboardContext.Provider
      value={{ client, session: session.value, navigation, generation, isDark, notify: setToast }}
    >
      <Header
        feed={feed}
        theme={theme}
        onTheme={next}
        version={session.value?.version}
        isSignedIn={isSignedIn}
        {...(readToken() === null ? {} : { onSignOut: signOut })}
      />
      <main id="content">
        {signIn !== "no" ? (
          <SignIn isRefused={signIn === "refused"} onToken={signInWith} />
        ) : session.error !== undefined && session.value === undefined ? (
          <p class="loading" role="alert">
            {session.error.message}
          </p>
        ) : (
          <Content />
        )}
      </main>
      <div class="toast" role="status" aria-live="polite">
        {toast}
      </div>
    </DashboardContext.Provider>
  );
}

const CONTENTS = { skills: SkillsView, try: TryView, health: HealthView, usage: UsageView } as const;
