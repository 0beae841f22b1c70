import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api/client.ts";

export interface Resource<T> {
  /** The last good answer, also while a newer one is loading. */
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

interface State<T> {
  readonly key: string | undefined;
  readonly value?: T | undefined;
  readonly error?: ApiError | undefined;
  readonly busy: boolean;
}

/** A request in progress. */
interface Run {
  readonly ended: AbortController;
  /** Whether its answer is old when it arrives, and to be asked for again. */
  isStale: boolean;
}

/**
 * Fetches whenever `key` or `version` changes. A new key drops the old value and its request at once. A new version keeps
 * the value until the answer arrives, and lets a request in progress finish before the next one: changes that come faster
 * than answers would otherwise leave a view empty for ever. An undefined key fetches nothing.
 */
export function useResource<T>(
  key: string | undefined,
  version: unknown,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const [state, setState] = useState<State<T>>({ key: undefined, busy: key !== undefined });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const running = useRef<Run | undefined>(undefined);

  useEffect(
    () => () => {
      running.current?.ended.abort();
      running.current = undefined;
    },
    [key],
  );
  useEffect(() => {
    if (key === undefined) return setState({ key, busy: false });
    if (running.current !== undefined) {
      running.current.isStale = true;
      return undefined;
    }
    const run: Run = { ended: new AbortController(), isStale: true };
    running.current = run;
    setState((old) => (old.key === key ? { ...old, busy: true } : { key, busy: true }));
    return void follow(run, key);
  }, [key, version, attempt]);

  const follow = async (run: Run, wanted: string): Promise<void> => {
    const { signal } = run.ended;
    while (run.isStale) {
      run.isStale = false;
      const answer = await settled(latest.current(signal));
      if (signal.aborted) return;
      if (!run.isStale) running.current = undefined;
      setState((old) => ({ ...old, error: undefined, ...answer, key: wanted, busy: run.isStale }));
    }
  };
  const reload = useCallback(() => setAttempt((old) => old + 1), []);
  const isCurrent = state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.busy,
    reload,
  };
}

async function settled<T>(answer: Promise<T>): Promise<{ readonly value: T } | { readonly error: ApiError }> {
  try {
    return { value: await answer };
  } catch (error) {
    return { error: error instanceof ApiError ? error : new ApiError(0, String(error)) };
  }
}
