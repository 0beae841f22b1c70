import type { Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { LineTransport } from "./line-transport.ts";
import type { EarlyStdin, FirstAnswer } from "./stdio-session.ts";

/** A server exits within two seconds of the end of stdin; this leaves time to stop running scripts. */
const LONGEST_DRAIN_MS = 1_000;

/** So many requests are answered at a time; further ones wait unread, because each answer may be large. */
const MOST_OPEN = 100;

/** How often to look whether the last messages are read. */
const POLL_MS = 2;

/** Answered when the client unsubscribes, so it never delays shutdown. */
const SUBSCRIPTION = "subscriptions/listen";

/**
 * A transport on stdio that answers open requests before it ends with stdin, and drops answers that the client already has.
 * Without the first, `printf '…' | skills-mcp` would print nothing: the SDK drops open requests the moment its input ends.
 */
export function createDrainingTransport(
  { source: stdin, input }: Pick<EarlyStdin, "source" | "input">,
  stdout: Writable,
  firstAnswers: ReadonlyMap<string | number, FirstAnswer>,
): Transport {
  const drain = createDrain(stdin, input, () => lines.hasUnread);
  const lines = new LineTransport(input, stdout, () => drain.openCount() >= MOST_OPEN);
  const transport: Transport = lines;
  const answered = new Map(firstAnswers);
  return {
    start: () => transport.start(),
    async send(message, options) {
      const first = isAnswer(message) ? answered.get(message.id) : undefined;
      const needed = first === undefined ? message : await afterFirstAnswer(first, message);
      if (needed !== undefined) await transport.send(needed, options);
      if (!isAnswer(message)) return;
      answered.delete(message.id);
      drain.closed(message.id);
      lines.readOn();
    },
    close: async () => {
      drain.stop();
      await transport.close();
    },
    get onclose() {
      return transport.onclose;
    },
    set onclose(handler) {
      transport.onclose = handler;
    },
    get onerror() {
      return transport.onerror;
    },
    set onerror(handler) {
      transport.onerror = handler;
    },
    get onmessage() {
      return transport.onmessage;
    },
    set onmessage(handler) {
      transport.onmessage = (message, extra) => {
        if (isRequest(message) && message.method !== SUBSCRIPTION) drain.opened(message.id);
        // A cancelled request gets no answer.
        if (isCancellation(message)) drain.closed(message.params["requestId"]);
        handler?.(message, extra);
      };
    },
  };
}

/** Ends `input` after stdin has ended and every open request has its answer, or when that takes too long. */
function createDrain(stdin: EarlyStdin["source"], input: EarlyStdin["input"], hasUnread: () => boolean) {
  const open = new Set<unknown>();
  let ended = false;
  let limit: NodeJS.Timeout | undefined;
  const endWhenIdle = (): void => {
    if (!ended || open.size > 0 || input.destroyed) return;
    // The last messages may have been read, but not yet parsed, or wait until the client reads its answers.
    if (input.readableLength > 0 || hasUnread()) setTimeout(endWhenIdle, POLL_MS);
    else input.end();
  };
  const onEnd = (): void => {
    ended = true;
    setImmediate(endWhenIdle);
    // Keeps the process alive: Node would otherwise exit before anything is closed and saved.
    limit ??= setTimeout(() => input.destroy(), LONGEST_DRAIN_MS);
  };
  if (stdin.readableEnded || stdin.destroyed) onEnd();
  for (const event of ["end", "close", "error"]) stdin.once(event, onEnd);
  return {
    openCount: () => open.size,
    opened: (id: unknown) => void open.add(id),
    closed(id: unknown): void {
      open.delete(id);
      endWhenIdle();
    },
    stop(): void {
      clearTimeout(limit);
      stdin.unpipe(input);
      stdin.pause();
    },
  };
}

/** What the client still needs when it has a first answer and the SDK now sends its own. */
async function afterFirstAnswer(
  { result, notice }: FirstAnswer,
  message: JSONRPCMessage,
): Promise<JSONRPCMessage | undefined> {
  const sent = await result;
  if (sent === undefined) return message;
  return "result" in message && JSON.stringify(message.result) === sent ? undefined : notice;
}

function isRequest(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { id: string | number; method: string } {
  return "id" in message && "method" in message;
}

function isCancellation(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { readonly params: Readonly<Record<string, unknown>> } {
  return "method" in message && message.method === "notifications/cancelled" && message.params !== undefined;
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number } {
  return "id" in message && !("method" in message);
}
