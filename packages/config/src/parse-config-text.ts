import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from "js-yaml";
import { type KeyParts, keyPath } from "./settings.ts";

export type ConfigText =
  | {
      readonly ok: true;
      /** Undefined when the file is empty. */
      readonly data: unknown;
      /** The 1-based line of a key, by key path. */
      readonly lineOf: (key: string) => number | undefined;
    }
  | { readonly ok: false; readonly message: string; readonly line?: number };

/** YAML 1.2 core data, without aliases and with little depth: both are ways to make a small file cost a lot. */
export function parseConfigText(text: string): ConfigText {
  try {
    const events = parseEvents(text, { maxDepth: 32 });
    const escaped = events.find(
      (event) => event.type === EVENT_ID.SCALAR && isEscapedPath(text, event.valueStart),
    );
    if (escaped?.type === EVENT_ID.SCALAR)
      return { ok: false, message: ESCAPED_PATH, line: createLineCounter(text)(escaped.valueStart) };
    const documents = constructFromEvents(events, { source: text, schema: CORE_SCHEMA, maxAliases: 0 });
    if (documents.length > 1) {
      return {
        ok: false,
        message: "The file contains several YAML documents; keep one and remove the `---` lines.",
      };
    }
    const lines = keyLines(text, events);
    return { ok: true, data: documents[0] ?? undefined, lineOf: (key) => lines.get(key) };
  } catch (error) {
    return { ok: false, ...complaintOf(error, text) };
  }
}

const ESCAPED_PATH =
  "A path of Windows is in double quotes, where `\\` begins an escape; use single quotes, or `/`.";

/** `"C:\new"`, which has a line break to YAML. */
function isEscapedPath(text: string, valueStart: number): boolean {
  return /^"[a-z]:\\[^\\]/i.test(text.slice(valueStart - 1, valueStart + 4));
}

function complaintOf(error: unknown, text: string): { readonly message: string; readonly line?: number } {
  if (!(error instanceof YAMLException)) return { message: "The file is not valid YAML." };
  const line = error.mark === undefined ? {} : { line: error.mark.line + 1 };
  if (error.reason.includes("maxAliases")) {
    return { message: "Aliases (`*name`) are not supported; write the value out.", ...line };
  }
  if (error.reason === "duplicated mapping key") {
    return { message: "A setting appears twice; keep one of the two.", ...line };
  }
  const written = text.split(/\r\n|\r|\n/)[error.mark?.line ?? -1];
  if (written !== undefined && /"[a-z]:\\[^\\]/i.test(written)) return { message: ESCAPED_PATH, ...line };
  return { message: `The file is not valid YAML: ${error.reason}.`, ...line };
}

/** A list or map that is being read: `next` is the key, or the place, of the value that comes next. */
interface Open {
  readonly parts: KeyParts;
  readonly isMap: boolean;
  next: string | number | undefined;
}

/** The line on which each key, and each item of a list, begins. */
function keyLines(text: string, events: readonly Event[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const lineAt = createLineCounter(text);
  // An empty key or item has no place in the text.
  const note = (parts: KeyParts, offset: number) =>
    void (offset >= 0 && lines.set(keyPath(parts), lineAt(offset)));
  const open: Open[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      open.push({ parts: [], isMap: false, next: undefined });
      continue;
    }
    const parent = open.at(-1);
    if (parent === undefined) continue;
    const offset = offsetOf(event);
    if (parent.isMap && parent.next === undefined) {
      parent.next = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : "";
      note([...parent.parts, parent.next], offset);
      continue;
    }
    const parts = parent.next === undefined ? parent.parts : [...parent.parts, parent.next];
    if (!parent.isMap && parent.next !== undefined) note(parts, offset);
    parent.next = typeof parent.next === "number" ? parent.next + 1 : undefined;
    if (event.type === EVENT_ID.MAPPING) open.push({ parts, isMap: true, next: undefined });
    if (event.type === EVENT_ID.SEQUENCE) open.push({ parts, isMap: false, next: 0 });
  }
  return lines;
}

function offsetOf(event: Exclude<Event, { type: typeof EVENT_ID.POP | typeof EVENT_ID.DOCUMENT }>): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : event.start;
}

/** Events come in the order of the text, so every line is counted once. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (; at < offset; at++) {
      const unit = text[at];
      if (unit === "\n" || (unit === "\r" && text[at + 1] !== "\n")) line++;
    }
    return line;
  };
}
