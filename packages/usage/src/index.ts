export { createUsage, type Usage, type UsageState } from "./create-usage.ts";
export type { ClientName, UsedBy } from "./events.ts";
export { recordSuggestions } from "./history/history-files.ts";
export type { Span, UsageSummary } from "./history/summarise.ts";
export { createFleetUsage, type FleetLog, type FleetUsage } from "./relay/fleet-usage.ts";
export { createLazyUsage, recordUnderCommonNames, type UsageSettings } from "./stats/lazy-usage.ts";
export { openRecentSkills, readRecentSkills } from "./stats/recent-skills.ts";
export { MOST_USAGE_DAYS, usageSpan } from "./stats/usage-span.ts";
export { usageStats } from "./stats/usage-stats.ts";
