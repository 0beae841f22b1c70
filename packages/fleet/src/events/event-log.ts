import { randomBytes } from "node:crypto";
import type { FleetLog } from "#usage";
import type { Redis } from "../redis.ts";
import type { Reply } from "../redis-client.ts";
import { ADD, CLAIM, DONE, STATUS } from "./log-scripts.ts";

/** The most entries that wait for delivery; beyond this, writers keep theirs. */
const MOST_ENTRIES = 100_000;
/** A batch that comes again within this time is not added again. */
const BATCH_SECONDS = 24 * 60 * 60;
const COUNTS_SECONDS = 400 * 24 * 60 * 60;
/** A consumer that has not confirmed its entries by then is taken for dead. Longer than any delivery. */
const CLAIM_AFTER_MS = 30_000;
const GROUP = "delivery";

/** The log of usage events in Redis: a stream with one group of consumers, and counts beside it. */
export function createEventLog(
  redis: Redis,
  { claimAfterMs = CLAIM_AFTER_MS, mostEntries = MOST_ENTRIES } = {},
): FleetLog {
  const keyOf: KeyOf = (name) => redis.key(`{usage}:${name}`);
  return {
    isAway: (): boolean => redis.state().state === "degraded",
    ...createLogWriter(redis, keyOf, mostEntries),
    ...createLogReader(redis, keyOf, claimAfterMs),
    ...createCounts(redis, keyOf),
  };
}

type KeyOf = (name: string) => string;
const STREAM = "events";

function createLogWriter(redis: Redis, keyOf: KeyOf, mostEntries: number): Pick<FleetLog, "add" | "status"> {
  const keys = [keyOf(STREAM), keyOf("epoch")];
  return {
    async add(batch, lines, counts) {
      const all = [...keys, keyOf(`batch:${batch}`), ...counts.map(({ name }) => keyOf(name))];
      const args = [
        randomBytes(4).toString("hex"),
        ...[mostEntries, BATCH_SECONDS, COUNTS_SECONDS, lines.length].map(String),
        ...lines,
        ...counts.flatMap((group, index) => [String(index + 4), ...countArguments(group)]),
      ];
      const [epoch = "", last = ""] = textsIn(await redis.evaluate(ADD, all, args));
      return epoch === "full" ? "full" : { epoch, last };
    },
    async status() {
      const [epoch = "", first = ""] = textsIn(await redis.evaluate(STATUS, keys, []));
      return { epoch, first };
    },
  };
}

function createLogReader(
  redis: Redis,
  keyOf: KeyOf,
  claimAfterMs: number,
): Pick<FleetLog, "read" | "hold" | "done"> {
  const stream = keyOf(STREAM);
  const { replica } = redis;

  /** Runs a command of the group, which an empty Redis does not have. */
  async function inGroup(run: () => Promise<Reply>): Promise<Reply> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Error) || !/NOGROUP|no such key/i.test(error.message)) throw error;
      await redis.send(["XGROUP", "CREATE", stream, GROUP, "0", "MKSTREAM"]).catch((exists: unknown) => {
        if (!(exists instanceof Error) || !exists.message.startsWith("BUSYGROUP")) throw exists;
      });
      return run();
    }
  }

  return {
    async read(most) {
      const limits = [String(claimAfterMs), String(most)];
      const left = await inGroup(() => redis.evaluate(CLAIM, [stream], [GROUP, replica, ...limits]));
      const claimed = entriesIn(left);
      if (claimed.length > 0) return claimed;
      const group = ["GROUP", GROUP, replica, "COUNT", String(most)];
      const command = ["XREADGROUP", ...group, "STREAMS", stream, ">"] as const;
      const found = await inGroup(() => redis.send(command, { key: stream }));
      const [first] = Array.isArray(found) ? (found as readonly Reply[]) : [];
      return entriesIn(Array.isArray(first) ? (first[1] as Reply) : null);
    },
    async hold(ids) {
      await redis.send(["XCLAIM", stream, GROUP, replica, "0", ...ids, "JUSTID"]);
    },
    async done(ids) {
      await redis.evaluate(DONE, [stream], [GROUP, ...ids]);
    },
  };
}

function createCounts(redis: Redis, keyOf: KeyOf): Pick<FleetLog, "counts" | "lines" | "agreeOn"> {
  return {
    async counts(names) {
      return Promise.all(names.map(async (name) => fieldsIn(await redis.send(["HGETALL", keyOf(name)]))));
    },
    async lines(names) {
      return Promise.all(
        names.map(async (name) => textsIn(await redis.send(["LRANGE", keyOf(name), "0", "-1"]))),
      );
    },
    async agreeOn(name, suggestion) {
      const known = await redis.send(["SET", keyOf(name), suggestion, "NX", "GET"]);
      return typeof known === "string" ? known : suggestion;
    },
  };
}

function countArguments(counts: Parameters<FleetLog["add"]>[2][number]): readonly string[] {
  const most = String(counts.most);
  if ("lines" in counts) return ["lines", most, String(counts.lines.length), ...counts.lines];
  const fields = [...counts.fields].flatMap(([field, count]) => [field, String(count)]);
  return ["fields", most, String(counts.fields.size), ...fields];
}

function textsIn(reply: Reply): readonly string[] {
  return Array.isArray(reply) ? (reply as readonly Reply[]).map(String) : [];
}

function fieldsIn(reply: Reply): ReadonlyMap<string, number> {
  const texts = textsIn(reply);
  const fields = new Map<string, number>();
  for (let at = 0; at + 1 < texts.length; at += 2) fields.set(texts[at] ?? "", Number(texts[at + 1]));
  return fields;
}

/** `[[id, [field, value]], …]` */
function entriesIn(reply: Reply): Awaited<ReturnType<FleetLog["read"]>> {
  if (!Array.isArray(reply)) return [];
  return (reply as readonly Reply[]).flatMap((entry) => {
    const [id, fields] = Array.isArray(entry) ? (entry as readonly Reply[]) : [];
    const [, text] = Array.isArray(fields) ? (fields as readonly Reply[]) : [];
    return typeof id === "string" && typeof text === "string" ? [{ id, text }] : [];
  });
}
