import { type Leaf, leavesOf, valuesOf } from "./leaves.ts";
import { type ConfigValues, declaredAt } from "./settings.ts";

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

/** What is shown instead of a value: that the setting, by its parts, has none. */
export function unsetText(parts: readonly string[], value: unknown): string | undefined {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (value !== undefined && value !== "" && !isEmptyList) return undefined;
  return declaredAt(parts)?.unset ?? (value === undefined ? "(not set)" : "(none)");
}
