import { parseLine } from "../record/event-writer.ts";
import type { DeliveryFailure, SendResult } from "./endpoint.ts";

interface SenderOptions {
  readonly send: (lines: readonly string[]) => Promise<SendResult>;
  /** Takes events that the receiver keeps refusing, so that they do not block the others. */
  readonly onRefused: (lines: readonly string[]) => Promise<void>;
  readonly onDelivered: (count: number) => void;
  readonly mostEvents?: number;
  readonly mostBytes?: number;
}

/** A line with an event, and where it is. */
export interface PlacedLine<Place> {
  readonly text: string;
  readonly at: Place;
}

interface Sent<Place> {
  /** The last line that is done, with all before it; undefined when none is. */
  readonly done: Place | undefined;
  readonly failure: DeliveryFailure | undefined;
}

const MOST_REFUSALS = 5;

/** Sends lines in batches; splits batches that are too large, and sets aside those that are refused too often. */
export function createSender({
  send,
  onRefused,
  onDelivered,
  mostEvents = 500,
  mostBytes = 1024 * 1024,
}: SenderOptions) {
  let most = mostEvents;
  let refusals = 0;
  /** The last line of a batch that failed: a batch ends there again, so that it is repeated under the same key. */
  let cutAfter: string | undefined;

  async function sendBatch(lines: readonly string[]): Promise<DeliveryFailure | undefined> {
    const answer = await send(lines);
    if (answer.kind === "too-large" && lines.length > 1) {
      most = Math.ceil(lines.length / 2);
      const failure = await sendBatch(lines.slice(0, most));
      return failure ?? sendBatch(lines.slice(Math.ceil(lines.length / 2)));
    }
    if (answer.kind === "unavailable" || (answer.kind !== "accepted" && ++refusals < MOST_REFUSALS)) {
      cutAfter = lines.at(-1);
      return { retryAfterMs: undefined, ...answer };
    }
    if (answer.kind === "accepted") onDelivered(lines.length);
    else await onRefused(lines);
    refusals = 0;
    cutAfter = undefined;
    return undefined;
  }

  /** Sends each event once, however often its line comes, and no garbage. Stops at the first failure. */
  return async function sendAll<Place>(
    lines: AsyncIterable<PlacedLine<Place>> | Iterable<PlacedLine<Place>>,
  ): Promise<Sent<Place>> {
    const seen = new Set<string>();
    let batch: string[] = [];
    let bytes = 0;
    let read: Place | undefined;
    let done: Place | undefined;
    const sendCollected = async (): Promise<DeliveryFailure | undefined> => {
      const failure = batch.length === 0 ? undefined : await sendBatch(batch);
      if (failure !== undefined) return failure;
      batch = [];
      bytes = 0;
      done = read;
      return undefined;
    };
    for await (const { text, at } of lines) {
      read = at;
      if (!isNewEvent(text, seen)) continue;
      batch.push(text);
      bytes += text.length;
      if (batch.length < most && bytes < mostBytes && text !== cutAfter) continue;
      const failure = await sendCollected();
      if (failure !== undefined) return { done, failure };
    }
    const failure = await sendCollected();
    return { done, failure };
  };
}

function isNewEvent(line: string, seen: Set<string>): boolean {
  const { type, event_id: id } = parseLine(line) ?? {};
  // Lines of older versions have no id.
  if (typeof type !== "string" || (typeof id === "string" && seen.has(id))) return false;
  if (typeof id === "string") seen.add(id);
  return true;
}
