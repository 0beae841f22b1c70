/** So many times as often as usual; `npm run check:properties` sets 20. */
const FACTOR = Number(process.env["SKILLS_MCP_ROUNDS"] ?? 1);

/** How often a property is tried: often enough to notice what somebody breaks, and seldom enough to be run all the time. */
export const rounds = (usual: number): { readonly numRuns: number } => ({ numRuns: usual * FACTOR });
