/** So many times as often as usual: `SKILLS_MCP_ROUNDS=50` for a thorough run. */
const FACTOR = Number(process.env["SKILLS_MCP_ROUNDS"] ?? 1);

/** How often a property is tried: often enough to notice what somebody breaks, and seldom enough to be run all the time. */
export const rounds = (usual: number): { readonly numRuns: number } => ({ numRuns: usual * FACTOR });
