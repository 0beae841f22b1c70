const UNITS = ["B", "KB", "MB", "GB"] as const;

export function bytes(size: number): string {
  let value = size;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? ""}`;
}

export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

const STEPS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [Number.POSITIVE_INFINITY, "day"],
] as const;

/** How long ago something was, in words. */
export function age(iso: string, now: number): string {
  let value = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  for (const [size, name] of STEPS) {
    if (value < size) return value === 0 ? "just now" : `${count(value, name)} ago`;
    value = Math.round(value / size);
  }
  return "";
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}
