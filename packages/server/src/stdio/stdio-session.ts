import { PassThrough, type Readable, type Writable } from "node:stream";
import type { ClientInfo } from "#agents";
import { monotonicMs } from "#util";
import type { CapabilitySettings } from "../mcp/server/capabilities.ts";
import { capabilitiesOf, instructionsNameSkills, LONGEST_HANDSHAKE_MS } from "../mcp/server/capabilities.ts";
import {
  answerInitialize,
  type Id,
  idOfPlainList,
  isInitialized,
  readInitialize,
  responseLine,
} from "../mcp/server/plain-requests.ts";

/** Stdin that is read before the server is loaded: lines can be peeked at, and the server still gets everything. */
export interface EarlyStdin {
  readonly source: Readable;
  /** Everything that was read, from the first byte on. */
  readonly input: PassThrough;
  /** Peeks at the next line; undefined if none arrives within that time. Zero waits for one turn of the event loop. */
  nextLine(withinMs: number): Promise<string | undefined>;
  /** Stops peeking. */
  release(): void;
}

/** An answer that was sent before the SDK was loaded. */
export interface FirstAnswer {
  /** The result as it was sent; undefined when it could not be made, and the SDK answers after all. */
  readonly result: Promise<string | undefined>;
  /** Sent instead of the SDK's answer if that one differs. */
  readonly notice?: { readonly jsonrpc: "2.0"; readonly method: string };
}

/**
 * A client on stdio, from its first byte to its end. Its first two requests are answered without the SDK, which takes
 * longer to load than everything else. The SDK gets the same requests later, and the transport drops its answers to them
 * (draining-transport.ts).
 */
export interface StdioSession {
  readonly stdin: EarlyStdin;
  readonly stdout: Writable;
  /** What was answered without the SDK, by request. */
  readonly sent: ReadonlyMap<Id, FirstAnswer>;
  /** When a request arrived that was answered without the SDK, and how long that took. */
  answeredEarly(id: Id): { readonly startedAt: number; readonly durationMs: number } | undefined;
  /** Why the session ends: SIGINT, SIGTERM (the same signal again ends the process at once), or a call of `onEnd`. */
  readonly end: Promise<string>;
  onEnd(reason: string): void;
  /**
   * Answers `initialize` if it has arrived, and then `tools/list` if that is what the client asks for next. May be called
   * again, with more answers: what was answered before is not answered twice.
   */
  answerFirstRequests(settings: CapabilitySettings, answers?: FirstAnswersTo): Promise<void>;
}

/** What a client is told first. */
export interface FirstAnswers {
  /** The result of `tools/list`. */
  readonly answer: object;
  /** These name the skills. */
  readonly instructions: string;
}

/** Returns undefined for a client that has to wait until more is loaded. */
export type FirstAnswersTo = (client: ClientInfo) => Promise<FirstAnswers> | undefined;

/** How long to wait for the client's next message before the SDK is loaded. */
const NEXT_MESSAGE_MS = 20;
/** The first scan of many skills takes longer on a slow disk; then the SDK is loaded meanwhile. */
const LONGEST_LIST_MS = 2_000;
const LIST_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;

const NEW_LINE = 0x0a;
/** No message that is answered early is longer. */
const LONGEST_LINE = 64 * 1024;

/** What ends a server. */
interface Signals {
  on(signal: "SIGINT" | "SIGTERM", listener: (signal: NodeJS.Signals) => void): unknown;
  once(signal: "SIGINT" | "SIGTERM", listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: (signal: NodeJS.Signals) => void): unknown;
}

/** The process that a server on stdio runs in, as far as it uses it. */
export interface StdioProcess extends Signals {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

export function openStdioSession(process: StdioProcess, nextMessageMs = NEXT_MESSAGE_MS): StdioSession {
  const { stdout } = process;
  const stdin = openEarlyStdin(process.stdin);
  let onEnd = (_reason: string): void => {};
  const end = new Promise<string>((resolve) => {
    onEnd = resolve;
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onEnd);

  const sent = new Map<Id, FirstAnswer>();
  const times = createAnswerTimes();
  let firstLine: string | undefined;
  let client: ClientInfo | undefined;
  let hasNextRequest = false;
  return {
    stdin,
    stdout,
    sent,
    answeredEarly: times.of,
    end,
    onEnd,
    async answerFirstRequests(settings, answers) {
      client ??= await handshake(settings, answers);
      if (client !== undefined && answers !== undefined) await answerList(client, answers);
    },
  };

  /** Answers `initialize`. Undefined if it has not arrived, is not plain, or needs skills that are not known yet. */
  async function handshake(
    settings: CapabilitySettings,
    answers: FirstAnswersTo | undefined,
  ): Promise<ClientInfo | undefined> {
    firstLine ??= await stdin.nextLine(0);
    const request = firstLine === undefined ? undefined : readInitialize(firstLine);
    if (request === undefined) return undefined;
    const answered = times.begin(request.id);
    const namesSkills = instructionsNameSkills(settings);
    const named = namesSkills ? answers?.(request.client) : undefined;
    if (namesSkills && named === undefined) return undefined;
    const capabilities = capabilitiesOf(settings);
    const { instructions = capabilities.instructions } = (await soon(named)) ?? {};
    stdout.write(answerInitialize(request, { ...capabilities, instructions }));
    answered();
    // Never compared: a client is initialized once, whatever the SDK answers later.
    sent.set(request.id, { result: Promise.resolve("") });
    return request.client;
  }

  async function answerList(to: ClientInfo, answers: FirstAnswersTo): Promise<void> {
    if (hasNextRequest) return;
    let next = await stdin.nextLine(nextMessageMs);
    if (next !== undefined && isInitialized(next)) next = await stdin.nextLine(nextMessageMs);
    hasNextRequest = next !== undefined;
    const id = next === undefined ? undefined : idOfPlainList(next);
    const listed = id === undefined || sent.has(id) ? undefined : answers(to);
    if (id === undefined || listed === undefined) return;
    const answered = times.begin(id);
    const result = listed.then(
      ({ answer }) => {
        const text = JSON.stringify(answer);
        stdout.write(responseLine(id, text));
        answered();
        return text;
      },
      // The SDK tries again and reports what is wrong.
      () => undefined,
    );
    sent.set(id, { result, notice: LIST_CHANGED });
    // A further message needs the SDK.
    await Promise.race([result, stdin.nextLine(LONGEST_LIST_MS)]);
  }
}

/** Times of early answers, for telemetry: the SDK sees these requests later, and its own answers are dropped. */
function createAnswerTimes() {
  const times = new Map<Id, { readonly startedAt: number; readonly durationMs: number }>();
  return {
    of: (id: Id) => times.get(id),
    /** Returns the function to call once the request is answered. */
    begin(id: Id): () => void {
      const startedAt = Date.now();
      const began = monotonicMs();
      return () => times.set(id, { startedAt, durationMs: monotonicMs() - began });
    },
  };
}

/** Undefined when the promise fails or takes longer than a handshake may. */
async function soon<T>(promise: Promise<T> | undefined): Promise<T | undefined> {
  if (promise === undefined) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LONGEST_HANDSHAKE_MS);
  });
  try {
    return await Promise.race([promise.catch(() => undefined), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function openEarlyStdin(source: Readable): EarlyStdin {
  const input = new PassThrough();
  const lines: string[] = [];
  let incomplete: Buffer = Buffer.alloc(0);
  let released = false;
  let wake = (): void => {};

  const peek = (chunk: Buffer): void => {
    let rest = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk]);
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      lines.push(rest.toString("utf8", 0, end));
      rest = rest.subarray(end + 1);
    }
    incomplete = rest;
    if (incomplete.length >= LONGEST_LINE) release();
    else if (lines.length > 0) wake();
  };
  function release(): void {
    released = true;
    source.off("data", peek);
    incomplete = Buffer.alloc(0);
    wake();
  }
  source.on("data", peek);
  source.pipe(input, { end: false });
  source.on("end", release);
  // An error reaches the server as the end of its input.
  source.on("error", release);
  return {
    source,
    input,
    async nextLine(withinMs) {
      if (lines.length === 0 && !released) await woken(withinMs);
      return lines.shift();
    },
    release,
  };

  function woken(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = withinMs === 0 ? undefined : setTimeout(resolve, withinMs);
      // What the client wrote before we started is read within one turn.
      const turn = withinMs === 0 ? setImmediate(resolve) : undefined;
      wake = () => {
        clearTimeout(timer);
        clearImmediate(turn);
        resolve();
      };
    });
  }
}
