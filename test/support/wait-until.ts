const [SHORTEST_MS, LONGEST_MS] = [20, 200];

/**
 * Polls until something is true; fails with `what` after a generous time. What takes a request is asked less and less
 * often: a server that is never idle puts off its background work, often the very thing that a test waits for.
 */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 45_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = SHORTEST_MS; ; ) {
    const answer = isTrue();
    if (await answer) return;
    if (Date.now() > deadline) throw new Error(`Timed out after ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (typeof answer !== "boolean") pauseMs = Math.min(pauseMs * 2, LONGEST_MS);
  }
}
