import type { Location, Snapshot } from "#skills";
import { lookUp } from "#skills";
import type { RequestOutcome } from "#util";
import { nameKey } from "#util/pure";
import { TOOL_NAMES, underscored } from "../definitions/tool-sets.ts";
import { promptsOf } from "../prompts/prompt-names.ts";
import { libraryTarget } from "../resources/library-resources.ts";
import {
  LIBRARY_SCHEME,
  parseResourceUri,
  resourceUri,
  splitSkillAddress,
} from "../resources/resource-uri.ts";
import { servedSkills } from "../resources/served-skills.ts";
import { fieldsOf, type MessageFields, textOf } from "../server/pipeline.ts";

type UsedSkill = NonNullable<RequestOutcome["served"]>;

/** The requests that are about one skill, or may be. */
const ABOUT_SKILLS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

export function isAboutSkills(method: string): boolean {
  return ABOUT_SKILLS.has(method);
}

/** The skill that an answer is about, by a name that exists here; undefined where there is none. */
export function skillUse(
  method: string,
  params: MessageFields,
  result: MessageFields,
  snapshot: Snapshot,
): UsedSkill | undefined {
  if (method === "tools/call") return skillNamed(snapshot, namedInCall(params, result));
  if (method === "prompts/get") {
    const prompt = promptsOf(snapshot).byKey.get(nameKey(textOf(params["name"]) ?? ""));
    if (prompt === undefined) return undefined;
    const { target } = prompt;
    const skill = skillNamed(snapshot, target.kind === "skill" ? target.entry.listedAs : target.skill.path);
    return skill && { ...skill, prompt: prompt.name };
  }
  return skillAt(snapshot, textOf(params["uri"]));
}

function skillAt({ catalog, library }: Snapshot, typed: string | undefined): UsedSkill | undefined {
  const address = typed === undefined ? undefined : parseResourceUri(typed);
  const uri = plainUri(typed);
  if (address === undefined || uri === undefined) return undefined;
  if (address.scheme === LIBRARY_SCHEME) {
    const path = libraryTarget(library, address.parts)?.skillPath ?? "";
    const skill = library.skills.get(path);
    return skill && { name: path, source: sourceOf(skill.location), uri };
  }
  const { byRoot, byName } = servedSkills(catalog);
  const found =
    byRoot.get(splitSkillAddress(address).root ?? "") ?? byName.get(nameKey(address.parts[0] ?? ""));
  return found && { name: found.entry.listedAs, source: sourceOf(found.entry.skill.location), uri };
}

/** What a call of a tool names, as the answer spells it if it does. */
export function namedInCall(params: MessageFields, result: MessageFields): string | undefined {
  const args = fieldsOf(params["arguments"]);
  return (
    textOf(fieldsOf(result["structuredContent"])["skill_path"]) ??
    textOf(args["skill_path"]) ??
    textOf(args["name"]) ??
    textOf(args["skill"])
  );
}

/** A skill that exists; a name that means none is a text of the caller. */
export function skillNamed({ catalog, library }: Snapshot, typed: string | undefined): UsedSkill | undefined {
  if (typed === undefined) return undefined;
  const inLibrary = library.skills.get(typed);
  if (inLibrary !== undefined) return { name: typed, source: sourceOf(inLibrary.location) };
  const found = lookUp(catalog.names, typed.trim());
  if (found.kind !== "found") return undefined;
  const { listedAs, skill } = found.entry;
  return { name: listedAs, source: sourceOf(skill.location) };
}

/** As Claude Code names them in its own telemetry, which has no word for a repository. */
const SOURCES: Readonly<Record<Location, string>> = {
  project: "projectSettings",
  user: "userSettings",
  plugin: "plugin",
  repo: "repository",
};

function sourceOf(location: Location): string {
  return SOURCES[location];
}

const TOOLS: ReadonlyMap<string, string> = new Map(
  TOOL_NAMES.flatMap((name) => [
    [underscored(name), name],
    [name, name],
  ]),
);

/** The tool of this name, with dots or underscores; undefined where there is none. */
export function knownTool(typed: string | undefined): string | undefined {
  return typed === undefined ? undefined : TOOLS.get(typed);
}

/** A URI of what exists may be spelled with more than it needs: a fragment, a user, folders that are left again. */
export function plainUri(typed: string | undefined): string | undefined {
  const address = typed === undefined ? undefined : parseResourceUri(typed);
  return address && resourceUri(address.scheme, address.parts);
}
