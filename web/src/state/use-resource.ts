import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/client.ts";

export interface Resource<T> {
  /** The last good answer, also while a newer one is loading. */
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/**
 * Fetches whenever `key` or `version` changes. The latest request wins, whatever the order of the answers. A new key
 * drops the old value at once; a new version keeps it until the answer arrives. An undefined key fetches nothing.
 */
export function useResource<T>(
  key: string | undefined,
  version: unknown,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const [state, setState] = useState<{ key: string | undefined; value?: T; error?: ApiError; busy: boolean }>(
    {
      key: undefined,
      busy: key !== undefined,
    },
  );
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (key === undefined) {
      setState({ key, busy: false });
      return undefined;
    }
    const ended = new AbortController();
    setState((old) => (old.key === key ? { ...old, busy: true } : { key, busy: true }));
    load(ended.signal).then(
      (value) => {
        if (!ended.signal.aborted) setState({ key, value, busy: false });
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        const known = error instanceof ApiError ? error : new ApiError(0, String(error));
        setState((old) => ({ ...old, key, error: known, busy: false }));
      },
    );
    return () => ended.abort();
  }, [key, version, attempt]);

  const reload = useCallback(() => setAttempt((old) => old + 1), []);
  const isCurrent = state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.busy,
    reload,
  };
}
