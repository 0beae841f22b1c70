import path from "node:path";
import { nameKey, Refusal } from "#util/pure";
import { lookUp } from "../catalog/resolve-name.ts";
import type { Snapshot } from "../registry/registry.ts";
import { type Diagnostic, placeOf } from "../skill/diagnostic.ts";
import { loadableName } from "../skill/names.ts";
import { pluginId } from "../skill/skill.ts";
import { brokenName, isBrokenSkill } from "../view/skill-rows.ts";
import { heldRefusal, reviewedNames } from "./reviewed.ts";

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
  const held = snapshot.reviewed?.find(
    (one) =>
      one.served === undefined &&
      reviewedNames(one.candidate).some((each) => nameKey(each) === nameKey(name)),
  );
  if (held !== undefined) return heldRefusal(held);
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

function brokenReason({ diagnostics }: Snapshot, name: string): string | undefined {
  const broken = diagnostics.find((diagnostic) => isBrokenSkill(diagnostic) && isNamed(diagnostic, name));
  return broken === undefined ? undefined : `it was skipped: ${placeOf(broken)}: ${broken.message}`;
}

/** By its folder, with or without a provider before it; in a library by its path. What was typed is only compared. */
function isNamed({ file }: Diagnostic, name: string): boolean {
  const typed = nameKey(name);
  const folder = nameKey(brokenName(file));
  const inLibrary = nameKey(file.split(path.sep).join("/")).endsWith(`/${typed}.md`);
  return typed === folder || typed.endsWith(`:${folder}`) || inLibrary;
}

function offReason({ pluginsOff }: Snapshot, name: string): string | undefined {
  const typed = nameKey(name);
  const off = pluginsOff.find(({ plugin, provider }) =>
    ["", `${provider}:`].some((prefix) =>
      [plugin.name, pluginId(plugin)].some((id) => typed.startsWith(nameKey(`${prefix}${id}:`))),
    ),
  );
  if (off === undefined) return undefined;
  return `the plugin '${pluginId(off.plugin)}' is turned off in ${off.by}. ${off.wayOut}`;
}
