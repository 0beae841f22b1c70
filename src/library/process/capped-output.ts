const FIRST_SIZE = 8 * 1024;

/** Keeps the first bytes of an output and counts the rest, so that memory stays bounded whatever a script writes. */
export interface CappedOutput {
  push(chunk: Uint8Array): void;
  /** Bytes seen, kept or not. */
  seen(): number;
  /** What was kept, as text of at most the cap's bytes: never half a character, U+FFFD for what is not UTF-8. */
  read(): { readonly text: string; readonly cut: boolean };
}

export function createCappedOutput(maxBytes: number): CappedOutput {
  // One growing buffer: a list of chunks would cost a hundred bytes for each byte written alone.
  let kept = Buffer.alloc(0);
  let length = 0;
  let seen = 0;

  return {
    push(chunk) {
      seen += chunk.length;
      const part = chunk.subarray(0, maxBytes - length);
      if (part.length === 0) return;
      const needed = length + part.length;
      if (needed > kept.length) {
        const grown = Buffer.alloc(Math.min(maxBytes, Math.max(needed, kept.length * 2, FIRST_SIZE)));
        kept.copy(grown, 0, 0, length);
        kept = grown;
      }
      kept.set(part, length);
      length = needed;
    },
    seen: () => seen,
    read() {
      const cut = seen > length;
      const whole = cut ? wholeCharacters(kept.subarray(0, length)) : kept.subarray(0, length);
      const text = decode(whole);
      // U+FFFD takes three bytes, so replaced bytes can outgrow the cap.
      if (Buffer.byteLength(text) <= maxBytes) return { text, cut };
      return { text: decode(wholeCharacters(Buffer.from(text).subarray(0, maxBytes))), cut: true };
    },
  };
}

/** The bytes without a character that the end cuts through. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return back < characterLength(byte) ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

function characterLength(first: number): number {
  if (first >= 0xf0 && first <= 0xf4) return 4;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xc2 && first <= 0xdf ? 2 : 1;
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
