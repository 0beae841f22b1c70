/** SIGINT and SIGTERM: the first one asks for the end, the second one wants it now. */
export interface Signals {
  readonly first: Promise<NodeJS.Signals>;
  readonly second: Promise<NodeJS.Signals>;
  close(): void;
}

export function listenForSignals(): Signals {
  const came: NodeJS.Signals[] = [];
  const waiting: ((signal: NodeJS.Signals) => void)[] = [];
  const onSignal = (signal: NodeJS.Signals): void => {
    came.push(signal);
    waiting[came.length - 1]?.(signal);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const next = (): Promise<NodeJS.Signals> =>
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  return {
    first: next(),
    second: next(),
    close() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
