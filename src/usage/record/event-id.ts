const RANDOM_BYTES = 8;
/** Asking for chance costs more than all the rest of an id. */
const IDS_AT_ONCE = 64;

/**
 * Makes UUIDs of version 7 (RFC 9562): the time first, so that they sort by age, then a counter for events of the same
 * millisecond, then chance, so that two processes never make the same one.
 */
export function createEventIds(now: () => number, randomBytes: (size: number) => Uint8Array): () => string {
  let last = 0;
  let counter = 0;
  let random = Buffer.alloc(0);
  let used = 0;
  return () => {
    const time = now();
    if (time > last) {
      last = time;
      counter = 0;
    } else {
      // The clock stands still, or was set back: the order of the ids still is the order of the events.
      counter++;
      if (counter > 0xfff) {
        last++;
        counter = 0;
      }
    }
    if (used + RANDOM_BYTES > random.length) {
      random = Buffer.from(randomBytes(RANDOM_BYTES * IDS_AT_ONCE));
      used = 0;
    }
    random[used] = 0x80 | ((random[used] ?? 0) & 0x3f);
    const chance = random.toString("hex", used, used + RANDOM_BYTES);
    used += RANDOM_BYTES;
    const hex = last.toString(16).padStart(12, "0");
    const count = counter.toString(16).padStart(3, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-${chance.slice(0, 4)}-${chance.slice(4)}`;
  };
}
