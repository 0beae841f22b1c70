import type { Readable, Writable } from "node:stream";
import { answerInitialize } from "../../mcp/first-answers/first-initialize.ts";
import {
  type Id,
  idOfPlainList,
  isInitialized,
  responseLine,
} from "../../mcp/first-answers/plain-message.ts";
import type { ServerCapabilities } from "../../mcp/server/capabilities.ts";
import { type EarlyStdin, openEarlyStdin } from "./early-stdin.ts";

/** An answer that was sent before the SDK was loaded. */
export interface FirstAnswer {
  /** The result as it was sent; undefined when it could not be made, and the SDK answers after all. */
  readonly result: Promise<string | undefined>;
  /** Sent instead of the SDK's answer if that one differs. */
  readonly notice?: { readonly jsonrpc: "2.0"; readonly method: string };
}

/**
 * Answers a client's first two requests without the SDK, which takes longer to load than everything else. The SDK gets
 * the same requests later, and the transport drops its answers to them (draining-transport.ts).
 */
export interface FirstAnswers {
  readonly stdin: EarlyStdin;
  readonly sent: ReadonlyMap<Id, FirstAnswer>;
  /** Answers `initialize` if it has arrived. May be called again when it had not. */
  answerInitialize(capabilities: ServerCapabilities): Promise<void>;
  /** Answers `tools/list` if that is what the client asks for next. */
  answerFirstList(list: (clientName: string) => Promise<object>): Promise<void>;
}

/** How long to wait for the client's next message before the SDK is loaded. */
const NEXT_MESSAGE_MS = 20;
/** The first scan of many skills takes longer on a slow disk; then the SDK is loaded meanwhile. */
const LONGEST_LIST_MS = 2_000;
const LIST_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;

/** Where a stream keeps its first answers. Registered, because the start script and the server are separate bundles. */
const OPENED = Symbol.for("skills-mcp.first-answers");

/** The first answers on these streams: the same ones for the start script, which opens them, and the server. */
export function openFirstAnswers(
  source: Readable & { [OPENED]?: FirstAnswers },
  stdout: Writable,
  nextMessageMs = NEXT_MESSAGE_MS,
): FirstAnswers {
  source[OPENED] ??= createFirstAnswers(openEarlyStdin(source), stdout, nextMessageMs);
  return source[OPENED];
}

function createFirstAnswers(stdin: EarlyStdin, stdout: Writable, nextMessageMs: number): FirstAnswers {
  const sent = new Map<Id, FirstAnswer>();
  let hasSpoken = false;
  let clientName: string | undefined;
  return {
    stdin,
    sent,
    async answerInitialize(capabilities) {
      const line = hasSpoken ? undefined : await stdin.nextLine(0);
      if (line === undefined) return;
      hasSpoken = true;
      const answer = answerInitialize(line, capabilities);
      if (answer === undefined) return;
      stdout.write(answer.line);
      clientName = answer.clientName;
      sent.set(answer.id, { result: Promise.resolve("") });
    },
    async answerFirstList(list) {
      if (clientName === undefined) return;
      let next = await stdin.nextLine(nextMessageMs);
      if (next !== undefined && isInitialized(next)) next = await stdin.nextLine(nextMessageMs);
      const id = next === undefined ? undefined : idOfPlainList(next);
      if (id === undefined || sent.has(id)) return;
      const result = list(clientName).then(
        (answer) => {
          const text = JSON.stringify(answer);
          stdout.write(responseLine(id, text));
          return text;
        },
        // The SDK tries again and reports what is wrong.
        () => undefined,
      );
      sent.set(id, { result, notice: LIST_CHANGED });
      // A further message needs the SDK.
      await Promise.race([result, stdin.nextLine(LONGEST_LIST_MS)]);
    },
  };
}
