import type { Entry } from "../catalog/catalog.ts";
import type { Filtered, FilterToken } from "../catalog/filter.ts";
import type { PluginOff } from "../roots/plugins.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Skill } from "../skill/skill.ts";
import type { DisabledFor } from "../toggle/disabled-sets.ts";
import type { ReviewedSkill } from "./reviewed.ts";

/** What is not served, and why: each step of the pipeline adds what it removes. */
export type NotServed =
  /** Everything in a plugin that its agent's settings turn off. */
  | ({ readonly kind: "plugin-off" } & PluginOff)
  /** A rule of `trust.yaml` or the audit demands an approval that nobody gave, or blocks it. */
  | { readonly kind: "not-approved"; readonly review: ReviewedSkill }
  /** The `--exclude` token that matches; without a token, no `--include` matches. */
  | { readonly kind: "filtered"; readonly skill: Filtered; readonly token?: FilterToken }
  /** Its file cannot be read as a skill. */
  | { readonly kind: "broken"; readonly problem: Diagnostic }
  /** Its file is called `.SKILL.md`. */
  | { readonly kind: "disabled"; readonly entry: Entry }
  /** A skill of the same identity lies in a root of higher priority. */
  | { readonly kind: "shadowed"; readonly skill: Skill; readonly by: Entry }
  /** `disable --agent` or `--profile`, for the client that the snapshot is made for. */
  | { readonly kind: "disabled-for"; readonly entry: Entry; readonly whom: DisabledFor };

/** What is served by its exact name and named in no list for models, and why. */
export type NotListed =
  /** Its author keeps it from models. */
  | { readonly kind: "not-for-models"; readonly entry: Entry }
  /** The client reads it from the disk by itself. */
  | { readonly kind: "native"; readonly entry: Entry };

/** Those of one kind, in their order. */
export function notServedAs<T extends NotServed | NotListed, K extends T["kind"]>(
  all: readonly T[],
  kind: K,
): readonly Extract<T, { readonly kind: K }>[] {
  return all.filter((one): one is Extract<T, { readonly kind: K }> => one.kind === kind);
}
