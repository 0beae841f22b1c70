/**
 * Makes UUIDs of version 7 (RFC 9562): the time first, so that they sort by age, then a counter for events of the same
 * millisecond, then chance, so that two processes never make the same one.
 */
export function createEventIds(now: () => number, randomBytes: (size: number) => Uint8Array): () => string {
  let last = 0;
  let counter = 0;
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
    const bytes = new DataView(new ArrayBuffer(16));
    bytes.setUint32(0, Math.floor(last / 0x10000));
    bytes.setUint16(4, last % 0x10000);
    bytes.setUint16(6, 0x7000 | counter);
    randomBytes(8).forEach((byte, index) => bytes.setUint8(8 + index, byte));
    bytes.setUint8(8, 0x80 | (bytes.getUint8(8) & 0x3f));
    const hex = Array.from(new Uint8Array(bytes.buffer), (byte) => byte.toString(16).padStart(2, "0")).join(
      "",
    );
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  };
}
