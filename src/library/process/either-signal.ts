/** Aborts with either; `release` takes the listeners off again, as one of the two lives as long as the server. */
export function eitherSignal(
  first: AbortSignal,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const either = new AbortController();
  const abort = (): void => either.abort();
  const signals = second === undefined ? [first] : [first, second];
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  }
  return {
    signal: either.signal,
    release: () => signals.forEach((signal) => signal.removeEventListener("abort", abort)),
  };
}
