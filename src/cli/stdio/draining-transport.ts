import type { Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { EarlyStdin } from "./early-stdin.ts";
import type { Said } from "./first-answers.ts";

/** A server is gone within two seconds of the end of stdin; this leaves time for the rest, such as a script that will not end. */
const LONGEST_DRAIN_MS = 1_000;

/** Is answered when the client no longer listens, so nobody waits for it. */
const SUBSCRIPTION = "subscriptions/listen";

/**
 * The SDK's stdio transport, except that the end of stdin first waits for the answers under way. Without it
 * `printf '…' | skills-mcp` would print nothing: the SDK drops open requests the moment its input ends.
 */
export function createDrainingTransport(
  { source: stdin, input }: Pick<EarlyStdin, "source" | "input">,
  stdout: Writable,
  early: ReadonlyMap<string | number, Said>,
): Transport {
  const transport: Transport = new StdioServerTransport(input, stdout);
  const open = new Set<unknown>();
  const said = new Map(early);
  let ended = false;
  let limit: NodeJS.Timeout | undefined;
  const endWhenIdle = (): void => {
    if (!ended || open.size > 0) return;
    // What stands before the end may be read by now, but not yet taken up.
    if (input.readableLength > 0) setImmediate(endWhenIdle);
    else input.end();
  };

  const onEnd = (): void => {
    ended = true;
    setImmediate(endWhenIdle);
    // It keeps the process alive: without it, Node would end before anything is closed and saved.
    limit ??= setTimeout(() => input.end(), LONGEST_DRAIN_MS);
  };
  if (stdin.readableEnded || stdin.destroyed) onEnd();
  stdin.once("end", onEnd);
  stdin.once("close", onEnd);
  stdin.once("error", onEnd);

  return {
    start: () => transport.start(),
    async send(message, options) {
      const already = isAnswer(message) ? said.get(message.id) : undefined;
      const answer = already === undefined ? message : await leftToSay(already, message);
      if (answer !== undefined) await transport.send(answer, options);
      if (isAnswer(message)) {
        said.delete(message.id);
        open.delete(message.id);
        endWhenIdle();
      }
    },
    close: async () => {
      clearTimeout(limit);
      stdin.unpipe(input);
      stdin.pause();
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
        if (isRequest(message) && message.method !== SUBSCRIPTION) open.add(message.id);
        handler?.(message, extra);
      };
    },
  };
}

/** What remains of an answer that was given before the SDK was there to give it. */
async function leftToSay(
  { result, notice }: Said,
  message: JSONRPCMessage,
): Promise<JSONRPCMessage | undefined> {
  const given = await result;
  if (given === undefined) return message;
  return "result" in message && JSON.stringify(message.result) === given ? undefined : notice;
}

function isRequest(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { id: string | number; method: string } {
  return "id" in message && "method" in message;
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number } {
  return "id" in message && !("method" in message);
}
