/** The end of a server on stdio: SIGINT, SIGTERM, or that its client has gone. */
export interface Shutdown {
  /** Why it ends. */
  readonly reason: Promise<string>;
  begin(reason: string): void;
}

/** Listens for signals from now on. The same one again ends the process at once. */
export function listenForShutdown(): Shutdown {
  let begin = (_reason: string): void => {};
  const reason = new Promise<string>((resolve) => {
    begin = resolve;
  });
  process.once("SIGINT", begin);
  process.once("SIGTERM", begin);
  return { reason, begin };
}
