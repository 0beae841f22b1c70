import path from "node:path";
import { LONGEST_NAME, nameKey, Refusal } from "#util/pure";
import { type Entry, entriesNamed, lookUp } from "../catalog/catalog.ts";
import type { Filtered, FilterToken } from "../catalog/filter.ts";
import type { LibraryFile } from "../library/library.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { PluginOff } from "../roots/plugins.ts";
import { type Diagnostic, placeOf } from "../skill/diagnostic.ts";
import { loadableName, pluginId, type RepoPlace, type Skill } from "../skill/skill.ts";
import { type DisabledFor, whomText } from "./disabled-for-client.ts";

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
  /** The operator's rule for this client. */
  | { readonly kind: "manual"; readonly entry: Entry }
  /** The client reads it from the disk by itself. */
  | { readonly kind: "native"; readonly entry: Entry };

/** Those of one kind, in their order. */
export function notServedAs<T extends NotServed | NotListed, K extends T["kind"]>(
  all: readonly T[],
  kind: K,
): readonly Extract<T, { readonly kind: K }>[] {
  return all.filter((one): one is Extract<T, { readonly kind: K }> => one.kind === kind);
}

/** What was found of a skill that is not served as it is. */
export type ReviewCandidate =
  | {
      readonly kind: "skill";
      readonly skill: Skill;
      /** Why its file is no skill as it is now; absent where it is one. */
      readonly broken?: string;
    }
  | {
      readonly kind: "library";
      readonly file: LibraryFile;
      /** What clients call it. */
      readonly path: string;
      /** The repository that it comes from; absent for a folder. */
      readonly repo?: RepoPlace;
    };

/** A skill that is served only as it was approved, or not at all. */
export interface ReviewedSkill {
  /** The place that it comes from, which stays the same when it changes. */
  readonly key: string;
  /** What commands take: the shortest name that no other of these skills has. */
  readonly name: string;
  /** Everything that it may be called, shortest first. */
  readonly names: readonly string[];
  readonly level: "review" | "block";
  /** What decided it, such as `github.com, trust.yaml:3`. */
  readonly rule: string;
  readonly candidate: ReviewCandidate;
  /** The digest of the version that is served; undefined when none is. */
  readonly served: string | undefined;
  /** Why an approved version cannot be served; absent when there is no reason. */
  readonly problem?: string;
}

/** Says why a skill is not served, and how it is approved. */
export function notApprovedRefusal({ name, level, rule }: ReviewedSkill): Refusal {
  const why =
    level === "block"
      ? `is blocked by the rule ${rule}`
      : `is held back until somebody approves it (rule ${rule}). To approve it, run: skills-mcp approve ${name}`;
  return new Refusal(`Skill '${name}' ${why}.`, { code: "held-skill", name });
}

/** The refusal of a name with the reason why it is not served; undefined when none is known. */
export function whyNotServed(error: unknown, snapshot: Snapshot, name: string): Refusal | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const { detail } = error;
  if (detail.code === "invalid-name") {
    const servedAs = replacementOf(snapshot, name);
    if (servedAs !== undefined)
      return new Refusal(`${error.message} A skill with this name is served as '${servedAs}'.`, detail);
  } else if (detail.code !== "unknown-skill") {
    return undefined;
  }
  const notApproved = refusalIfNotApproved(snapshot, name) ?? refusalIfWithheld(snapshot, name);
  if (notApproved !== undefined) return notApproved;
  const reason = brokenReason(snapshot, name) ?? offReason(snapshot, name);
  if (reason === undefined) return undefined;
  return new Refusal(
    `Skill '${name}' not found, because ${reason}`,
    { code: "unknown-skill", name, suggestions: [], explained: true },
    { cause: error },
  );
}

/** The refusal of any name while settings are wrong that could have withheld it; undefined else. */
export function refusalIfWithheld({ wrongSettings }: Snapshot, name: string): Refusal | undefined {
  const [first] = whyWithheld("skills", wrongSettings);
  if (first === undefined) return undefined;
  const message = `Skill '${name}' is not served, because the settings are wrong. ${first.place}: ${first.message}`;
  return new Refusal(message, { code: "bad-config", problems: [first] });
}

/** The name that replaces one that cannot be typed. */
function replacementOf({ catalog, diagnostics }: Snapshot, name: string): string | undefined {
  const found = lookUp(catalog.names, loadableName(name));
  if (found.kind !== "found") return undefined;
  const { skill, listedAs } = found.entry;
  const file = path.join(skill.dir, skill.fileName);
  const isReplaced = diagnostics.some((one) => one.code === "name-replaced" && one.file === file);
  return isReplaced ? listedAs : undefined;
}

function brokenReason({ notServed }: Snapshot, name: string): string | undefined {
  const found = notServedAs(notServed, "broken").find(({ problem }) => isNamed(problem, name));
  return found && `it was skipped: ${placeOf(found.problem)}: ${found.problem.message}`;
}

/** By its folder, with or without a provider before it; in a library by its path. What was typed is only compared. */
function isNamed({ file }: Diagnostic, name: string): boolean {
  const typed = nameKey(name);
  const folder = nameKey(brokenName(file));
  const inLibrary = nameKey(file.split(path.sep).join("/")).endsWith(`/${typed}.md`);
  return typed === folder || typed.endsWith(`:${folder}`) || inLibrary;
}

function offReason({ notServed }: Snapshot, name: string): string | undefined {
  const typed = nameKey(name);
  const off = notServedAs(notServed, "plugin-off").find(({ plugin, provider }) =>
    ["", `${provider}:`].some((prefix) =>
      [plugin.name, pluginId(plugin)].some((id) => typed.startsWith(nameKey(`${prefix}${id}:`))),
    ),
  );
  return off && `the plugin '${pluginId(off.plugin)}' is turned off in ${off.by}. ${off.wayOut}`;
}

/** The refusal of a name that means a skill which is disabled for the client; undefined for all others. */
export function refusalIfDisabled({ whole, notServed }: Snapshot, name: string): Refusal | undefined {
  const [meant] = whole === undefined ? [] : entriesNamed(whole.catalog.names, name.trim());
  const found = notServedAs(notServed, "disabled-for").find(({ entry }) => entry === meant);
  if (found === undefined) return undefined;
  const { entry, whom } = found;
  return new Refusal(
    `Skill '${entry.listedAs}' is disabled ${whomText(whom)}. To enable it, run: skills-mcp enable ${entry.listedAs} --${whom.kind} ${whom.name}`,
    { code: "disabled-skill", name: entry.listedAs },
  );
}

/**
 * The refusal of a name that means a skill which nobody approved; undefined for all others. It repeats nothing of the skill but
 * its name, which whoever asks knows.
 */
export function refusalIfNotApproved({ notServed }: Snapshot, typed: string): Refusal | undefined {
  if (typed.length > LONGEST_NAME) return undefined;
  const key = nameKey(typed.trim());
  const found = notServedAs(notServed, "not-approved").find(({ review }) =>
    review.names.some((one) => nameKey(one) === key),
  );
  return found && notApprovedRefusal(found.review);
}

/** The name that a person would give a broken skill: that of its folder, or of the file where that has a name of its own. */
export function brokenName(file: string): string {
  const base = path.basename(file);
  return /^\.?skill\.md$/i.test(base) ? path.basename(path.dirname(file)) : base;
}

/**
 * What a setting can withhold. While such a setting is wrong, a server that runs all the same serves nothing of it: it does not
 * know what it may serve. `skills` means everything, `profiles` what a profile leaves out, `library` the library's skills and
 * tools, `scripts` their scripts, and `usage` what is recorded and sent.
 */
type Withheld = "skills" | "profiles" | "library" | "scripts" | "usage";

/** Something that is wrong in the settings. `place` is a file, with its line where known, or a variable. */
export interface SettingsProblem {
  readonly place: string;
  /** A whole sentence: the key where there is one, the reason, and the way out. */
  readonly message: string;
  /** What is not served until it is repaired; nothing when absent. */
  readonly withholds?: readonly Withheld[];
}

/** The problems because of which something is not served. */
export function whyWithheld(
  what: Withheld,
  problems: readonly SettingsProblem[] = [],
): readonly SettingsProblem[] {
  return problems.filter(({ withholds = [] }) => withholds.includes(what) || withholds.includes("skills"));
}
