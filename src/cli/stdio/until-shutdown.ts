/**
 * Opens something and waits for its end: that it closes by itself, SIGINT or SIGTERM. Then closes it and says so.
 * `open` is given a function to call when it has closed by itself, and returns how to close it.
 */
export async function untilShutdown(
  log: (line: string) => void,
  open: (onClose: () => void) => () => Promise<void>,
): Promise<void> {
  let close: (() => Promise<void>) | undefined;
  const reason = await new Promise<string>((resolve) => {
    process.once("SIGINT", () => resolve("SIGINT"));
    process.once("SIGTERM", () => resolve("SIGTERM"));
    close = open(() => resolve("the client has gone"));
  });
  log(`shutting down: ${reason}`);
  await close?.();
}
