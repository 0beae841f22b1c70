import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/client.ts";
import { Failure, Loading } from "../parts/notice.tsx";
import { useDashboard } from "../state/context.ts";
import { reloadIfOutdated } from "../state/outdated.ts";
import { VIEWS, type View } from "../state/route.ts";
import { VIEW_TABLE } from "./view-table.ts";

const IDLE_MS = 800;

type Loaded = Partial<Record<View, ComponentType>>;

/** The current view. The others are loaded when the page is idle, so that they open without a server too. */
export function ViewSlot({ view }: { readonly view: View }) {
  const { generation } = useDashboard();
  const [loaded, setLoaded] = useState<Loaded>({});
  const [failed, setFailed] = useState<View>();
  const [attempt, setAttempt] = useState(0);
  const fetchView = async (wanted: View): Promise<void> => {
    try {
      const Content = await VIEW_TABLE[wanted].load();
      setLoaded((old) => ({ ...old, [wanted]: Content }));
      setFailed((old) => (old === wanted ? undefined : old));
    } catch {
      setFailed((old) => (wanted === view ? wanted : old));
      if (wanted === view) await reloadIfOutdated();
    }
  };

  const Content = loaded[view];
  useEffect(() => {
    if (Content === undefined) void fetchView(view);
    // The generation increases when a server that was gone is back.
  }, [view, attempt, generation]);
  const isFirstShown = Content !== undefined;
  useEffect(() => {
    if (!isFirstShown) return undefined;
    const timer = setTimeout(() => {
      for (const each of Object.keys(VIEWS) as View[]) if (loaded[each] === undefined) void fetchView(each);
    }, IDLE_MS);
    return () => clearTimeout(timer);
  }, [isFirstShown]);

  if (Content !== undefined) return <Content />;
  return (
    <div class="page">
      <h1>{VIEWS[view]}</h1>
      {failed === view ? (
        <Failure
          error={new ApiError(0, "This view could not be loaded. Is the server still running?", "offline")}
          onRetry={() => setAttempt((old) => old + 1)}
        />
      ) : (
        <Loading what={VIEWS[view]} />
      )}
    </div>
  );
}
