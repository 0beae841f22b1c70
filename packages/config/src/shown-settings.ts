import { type Config, declaredAt, keyPath, type Leaf, leavesOf, type Origin, valuesOf } from "./settings.ts";

/** A setting as people see it. */
interface ShownSetting {
  readonly key: string;
  readonly value: string;
  /** Where it is set. */
  readonly source: string;
  readonly isDefault: boolean;
}

/** The values without passwords and other secrets, and every setting with its value as a text. */
export function shownConfig({ values, origins }: Config) {
  const leaves = leavesOf(values).map(shownLeaf);
  const settings = leavesOf(valuesOf(leaves)).map(({ parts, value }): ShownSetting => {
    const key = keyPath(parts);
    const shown = unsetText(parts, value) ?? (typeof value === "string" ? value : textOf(value));
    const origin = origins.get(key) ?? { kind: "default" };
    return { key, value: shown, source: sourceOf(origin), isDefault: origin.kind === "default" };
  });
  return { values: valuesOf(leaves), settings };
}

function shownLeaf({ parts, value }: Leaf): Leaf {
  const shown = declaredAt(parts)?.shown;
  if (shown === undefined) return { parts, value };
  const each = (text: unknown) => (typeof text === "string" ? shown(text) : text);
  return { parts, value: Array.isArray(value) ? value.map(each) : each(value) };
}

function sourceOf(origin: Origin): string {
  if (origin.kind === "default") return "default";
  if (origin.kind === "environment") return `${origin.variable} (environment)`;
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;
}

function unsetText(parts: readonly string[], value: unknown): string | undefined {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (value !== undefined && value !== "" && !isEmptyList) return undefined;
  return declaredAt(parts)?.unset ?? (value === undefined ? "(not set)" : "(none)");
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : JSON.stringify(value));
