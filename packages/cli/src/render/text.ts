import path from "node:path";
import { styleText } from "node:util";
import { escapeInvisibleCharacters } from "#util/pure";

/** Characters that could move the cursor or start a line. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/gu;
const PLAIN = /^[ -~]*$/;

/** Text from a file or a client, safe on a terminal and on one line; what reorders it or cannot be seen is escaped. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : escapeInvisibleCharacters(text.replace(UNSAFE, "�"));
}

/** A hostile file name must not fill the screen. */
const LONGEST_LINE = 8 * 1024;

export function cutLine(text: string): string {
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}

/** A value as JSON that is safe on a terminal and loses nothing; on one line, unless `indent` says otherwise. */
export function printableJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  return escapeInvisibleCharacters(json, jsonEscape).replace(/[\u2028\u2029]/g, (one) =>
    jsonEscape(one.charCodeAt(0)),
  );
}

function jsonEscape(codePoint: number): string {
  const units = String.fromCodePoint(codePoint).split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

/** Styles text for a terminal, or returns it unchanged. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

/** What decides how text looks: the columns of the terminal, undefined where nothing is cut, and its colours. */
export interface Look {
  readonly width: number | undefined;
  readonly style: Style;
}

export function createStyle(colours: boolean): Style {
  const paint = (format: keyof Style) => (text: string) =>
    colours ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    yellow: paint("yellow"),
    green: paint("green"),
    cyan: paint("cyan"),
  };
}

/** Whether to colour a stream. Node decides: by NO_COLOR, FORCE_COLOR, TERM and whether it is a terminal. */
export function hasColours(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): boolean {
  // A pipe is decided here, because `styleText` sets up stderr to decide.
  if (stream.isTTY !== true && process.env["FORCE_COLOR"] === undefined) return false;
  return styleText("red", " ", { stream }) !== " ";
}

/** The columns of a terminal; undefined for a pipe, and for terminals that report 0. */
export function terminalWidth(stream: { isTTY?: boolean; columns?: number }): number | undefined {
  return stream.isTTY === true && stream.columns !== undefined && stream.columns > 0
    ? stream.columns
    : undefined;
}

/** A count and its noun: `1 skill`, `2 skills`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** A text with `~` in place of the home folder in each path. */
export function withShortPaths(text: string, home: string): string {
  const folder = home.endsWith(path.sep) ? home.slice(0, -path.sep.length) : home;
  return folder === "" ? text : text.replaceAll(folder + path.sep, `~${path.sep}`);
}

/** A path as people write it: `~` for the home folder. */
export function shortPath(file: string, home: string): string {
  const below = path.relative(home, file);
  return below === "" || below.startsWith("..") || path.isAbsolute(below) ? file : path.join("~", below);
}
