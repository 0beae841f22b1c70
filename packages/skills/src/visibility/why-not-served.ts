import path from "node:path";
import { nameKey, Refusal } from "#util/pure";
import { entriesNamed, lookUp } from "../catalog/resolve-name.ts";
import type { Snapshot } from "../registry/registry.ts";
import { type Diagnostic, placeOf } from "../skill/diagnostic.ts";
import { loadableName } from "../skill/names.ts";
import { pluginId } from "../skill/skill.ts";
import { whomText } from "./disabled-for-client.ts";
import { notServedAs } from "./not-served.ts";
import { notApprovedRefusal } from "./reviewed.ts";

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
  const notApproved = refusalIfNotApproved(snapshot, name);
  if (notApproved !== undefined) return notApproved;
  const reason = brokenReason(snapshot, name) ?? offReason(snapshot, name);
  if (reason === undefined) return undefined;
  return new Refusal(
    `Skill '${name}' not found, because ${reason}`,
    { code: "unknown-skill", name, suggestions: [], explained: true },
    { cause: error },
  );
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
  const key = nameKey(typed.trim());
  const found = notServedAs(notServed, "not-approved").find(({ review }) =>
    review.names.some((one) => nameKey(one) === key),
  );
  return found && notApprovedRefusal(found.review);
}

/** The name that a person would give a broken skill: its folder's, or the file's where that has a name of its own. */
export function brokenName(file: string): string {
  const base = path.basename(file);
  return /^\.?skill\.md$/i.test(base) ? path.basename(path.dirname(file)) : base;
}
