import { cutText } from "../../catalog/cut-text.ts";

export type KeyParts = readonly (string | number)[];

/** A key that someone invented may be as long as a file; a message need not be. */
const LONGEST_PART = 80;

/** `scripts.timeout_seconds`, `scripts.runners[".sh"]`, `scripts.folders[0]`. */
export function keyPath(parts: KeyParts): string {
  return parts
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[a-z_][\w-]*$/i.test(part)) return `[${JSON.stringify(cutText(part, LONGEST_PART))}]`;
      return index === 0 ? cutText(part, LONGEST_PART) : `.${cutText(part, LONGEST_PART)}`;
    })
    .join("");
}
