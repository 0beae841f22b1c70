/** The package as a library: the same app that every edge of the product uses. */
export type { App } from "./app/create-app.ts";
export { createApp } from "./app/create-app.ts";
export type { AppOptions, FreshnessOptions, SkillViewOptions } from "./app/options.ts";
export { Refusal } from "./skill/refusal.ts";
export { VERSION } from "./version.ts";
