import { randomBytes } from "node:crypto";
import { type Log, monotonicMs } from "#util";
import { parseJson } from "#util/pure";
import type { Redis } from "./redis.ts";

/** What another replica answered to a question. */
type BusAnswer =
  | { readonly kind: "answer"; readonly value: unknown }
  /** Nobody with this name is connected. */
  | { readonly kind: "gone" }
  /** No answer in time, or Redis is away. */
  | { readonly kind: "silent" };

type MessageHandler = (data: unknown, from: string) => unknown;

/** Messages between the replicas of a fleet. Those that are sent while Redis is away are lost. */
export interface Bus {
  readonly replica: string;
  /** Tells all other replicas. Resolves false when Redis is away. */
  tell(kind: string, data: unknown): Promise<boolean>;
  /** Asks one replica. */
  ask(replica: string, kind: string, data: unknown): Promise<BusAnswer>;
  /** Sets the handler for messages of a kind; what it returns is the answer to a question. */
  on(kind: string, handler: MessageHandler): void;
  close(): void;
}

interface Message {
  readonly from: string;
  readonly kind: string;
  readonly data: unknown;
  /** Of a question. */
  readonly id?: string;
  /** The question that it answers. */
  readonly answers?: string;
}

/** A replica whose connection was just replaced subscribes again within this time. */
const RETRY_MS = 20;

export async function openBus(redis: Redis, log: Log): Promise<Bus> {
  const { replica } = redis;
  const handlers = new Map<string, MessageHandler>();
  const everyone = redis.key("bus");
  const channelOf = (name: string): string => redis.key(`to:${name}`);
  const send = (channel: string, message: Omit<Message, "from">): Promise<number | undefined> =>
    redis.publish(channel, JSON.stringify({ from: replica, ...message }));

  const questions = createQuestions((name, message) => send(channelOf(name), message), redis.timeoutMs);

  async function receive(text: string): Promise<void> {
    const message = parseMessage(text);
    if (message === undefined || message.from === replica) return;
    if (message.answers !== undefined) {
      questions.answered(message.answers, message.data);
      return;
    }
    const answer = await handlers.get(message.kind)?.(message.data, message.from);
    if (message.id !== undefined)
      await send(channelOf(message.from), { kind: message.kind, data: answer, answers: message.id });
  }
  const onMessage = (text: string): void => {
    receive(text).catch((error: unknown) => {
      log.debug(
        `a message of another replica failed: ${error instanceof Error ? error.stack : String(error)}`,
      );
    });
  };
  const stops = await Promise.all([
    redis.subscribe(everyone, onMessage),
    redis.subscribe(channelOf(replica), onMessage),
  ]);

  return {
    replica,
    tell: (kind, data) =>
      send(everyone, { kind, data }).then(
        () => true,
        () => false,
      ),
    ask: questions.ask,
    on: (kind, handler) => void handlers.set(kind, handler),
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** Questions that wait for an answer. */
function createQuestions(
  send: (replica: string, message: Omit<Message, "from">) => Promise<number | undefined>,
  timeoutMs: number,
) {
  const waiting = new Map<string, (value: unknown) => void>();
  return {
    answered: (id: string, value: unknown): void => waiting.get(id)?.(value),
    async ask(replica: string, kind: string, data: unknown): Promise<BusAnswer> {
      const id = randomBytes(9).toString("base64url");
      const deadline = monotonicMs() + timeoutMs;
      const answered = new Promise<BusAnswer>((resolve) => {
        waiting.set(id, (value) => resolve({ kind: "answer", value }));
      });
      try {
        for (;;) {
          const receivers = await send(replica, { kind, data, id });
          const left = deadline - monotonicMs();
          if (receivers !== 0) return await Promise.race([answered, after(left, "silent")]);
          if (left < RETRY_MS) return { kind: "gone" };
          await after(RETRY_MS, "gone");
        }
      } catch {
        return { kind: "silent" };
      } finally {
        waiting.delete(id);
      }
    },
  };
}

function after(ms: number, kind: "gone" | "silent"): Promise<BusAnswer> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ kind }), Math.max(0, ms)).unref();
  });
}

function parseMessage(text: string): Message | undefined {
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? (value as Message) : undefined;
}
