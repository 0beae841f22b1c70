/** Tools that do more than read, and the scope that a caller over the network needs for each. */
export const TOOL_SCOPES = new Map([
  ["run_script", "skills:run"],
  ["refresh_skills", "skills:admin"],
] as const) as ReadonlyMap<string, "skills:run" | "skills:admin">;

/** Whether a caller may use a tool; without scopes every tool is allowed. */
export function mayCall(tool: string, scopes: readonly string[] | undefined): boolean {
  const needed = TOOL_SCOPES.get(tool);
  return needed === undefined || scopes === undefined || scopes.includes(needed);
}
