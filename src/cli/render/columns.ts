/** Scripts and symbols that take two columns on a terminal. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const ZERO_WIDTH = /\p{Mn}|\p{Me}|\u200D|\uFE0F/u;

/** What most text is. The patterns above take longer to make than a short list takes to print, so they wait for other text. */
const PLAIN = /^[ -~]*$/;

function characterColumns(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) || (EMOJI.test(character) && !/\p{RI}/u.test(character)) ? 2 : 1;
}

/** The columns of a terminal. Some do not tell and say 0: like a pipe, these have no limit. */
export function terminalWidth({
  isTTY,
  columns,
}: {
  readonly isTTY?: boolean;
  readonly columns?: number;
}): number | undefined {
  return isTTY === true && columns !== undefined && columns > 0 ? columns : undefined;
}

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += characterColumns(character);
  return columns;
}

/** Text that takes at most `columns`, ending in `…` where it had to be cut. */
export function cutToColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let cut = "";
  let used = 0;
  for (const character of text) {
    used += characterColumns(character);
    if (used > columns - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** Text filled up with spaces to `columns`. */
export function padToColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Content from a file, safe on a terminal: one line, and no control character that could move the cursor. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, "�");
}
