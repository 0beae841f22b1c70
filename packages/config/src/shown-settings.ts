import {
  type Config,
  type ConfigValues,
  declaredAt,
  keyPath,
  type Leaf,
  leavesOf,
  type Origin,
  valuesOf,
} from "./settings.ts";

/** The values as they may be shown: without passwords and other secrets. */
export function withoutSecrets(values: ConfigValues): ConfigValues {
  return valuesOf(leavesOf(values).map(shownLeaf));
}

function shownLeaf({ parts, value }: Leaf): Leaf {
  const shown = declaredAt(parts)?.shown;
  if (shown === undefined) return { parts, value };
  const each = (text: unknown) => (typeof text === "string" ? shown(text) : text);
  return { parts, value: Array.isArray(value) ? value.map(each) : each(value) };
}

/** A setting as people see it. */
interface ShownSetting {
  readonly key: string;
  readonly value: string;
  readonly origin: Origin;
}

/** Every setting with its value as a text, and where it is set. */
export function shownSettings({ values, origins }: Config): readonly ShownSetting[] {
  return leavesOf(withoutSecrets(values)).map(({ parts, value }) => {
    const key = keyPath(parts);
    const shown = unsetText(parts, value) ?? (typeof value === "string" ? value : textOf(value));
    return { key, value: shown, origin: origins.get(key) ?? { kind: "default" } };
  });
}

function unsetText(parts: readonly string[], value: unknown): string | undefined {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (value !== undefined && value !== "" && !isEmptyList) return undefined;
  return declaredAt(parts)?.unset ?? (value === undefined ? "(not set)" : "(none)");
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : JSON.stringify(value));
