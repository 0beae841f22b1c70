import type { Client } from "./client.ts";

export type FeedState = "connecting" | "live" | "lost";

export interface FeedOptions {
  readonly client: Client;
  /** How many changes there were when the page was opened. */
  readonly since: number;
  readonly onEvent: (name: string) => void;
  readonly onState: (state: FeedState) => void;
  /** The server was gone and is back, perhaps as another version. */
  readonly onReturn: () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4_000;

/**
 * Listens to the server's events and reconnects when the stream breaks. `EventSource` cannot send a token, so the
 * stream is read with `fetch`. Returns a function that stops it.
 */
export function listenForEvents({ client, since, onEvent, onState, onReturn }: FeedOptions): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  async function run(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    let isFirst = true;
    while (!signal.aborted) {
      try {
        const response = await client.open("events", signal);
        onState("live");
        wait = FIRST_WAIT_MS;
        const isAgain = !isFirst;
        isFirst = false;
        if (isAgain) onReturn();
        await readEvents(response, (name, data) => {
          // What changed while nobody listened: before the first connection the server counts, after it nobody does.
          if (name !== "ready") onEvent(name);
          else if (isAgain || changesIn(data) !== since) onEvent("skills");
        });
      } catch {
        // Reconnects below.
      }
      if (signal.aborted) return;
      onState("lost");
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
  }

  void run();
  return () => ended.abort();
}

async function readEvents(response: Response, onEvent: (name: string, data: string) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const name = /^event: (\w+)$/m.exec(block)?.[1];
      if (name !== undefined) onEvent(name, /^data: (.*)$/m.exec(block)?.[1] ?? "");
    }
  }
}

function changesIn(data: string): number {
  const { changes = 0 } = JSON.parse(data) as { readonly changes?: number };
  return changes;
}
