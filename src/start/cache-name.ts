/** Commands that each have their own code compiled ahead; the others share what one of them left. */
const OWN_CODE: ReadonlySet<string> = new Set([
  "list",
  "info",
  "search",
  "stats",
  "validate",
  "doctor",
  "serve",
]);

/**
 * Compiled code is kept for each command, because what one of them runs is a small part of it all, and reading back
 * more than is needed takes time as well.
 */
export function cacheNameOf(args: readonly string[]): string {
  const [first = ""] = args;
  if (args.includes("http") || args.includes("sse")) return "serve";
  if (first === "" || first.startsWith("-") || first === "mcp" || first === "mcp-server") return "mcp";
  return OWN_CODE.has(first) ? first : "other";
}
