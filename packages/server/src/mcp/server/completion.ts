import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Entry, Snapshot, SnapshotSource } from "#skills";
import { listSkillFiles } from "#skills";
import { nameKey } from "#util/pure";
import { promptsOf } from "../prompts/prompt-names.ts";
import { findPrompt } from "../prompts/serve-prompts.ts";
import { LIBRARY_TEMPLATE, PLUGIN_TEMPLATE, SKILL_TEMPLATE } from "../resources/templates.ts";
import { compareKeys } from "./paging.ts";
import type { RequestHandlers } from "./pipeline.ts";

/** The protocol's limit. */
const MOST_VALUES = 100;

type GivenVariables = Readonly<Record<string, string>>;

/** Completes the variables of the resource templates: providers, plugins, names of skills, and their files. */
export function completionHandlers(skills: Pick<SnapshotSource, "snapshot">): RequestHandlers {
  return {
    "completion/complete": async ({ params }) => {
      const snapshot = await skills.snapshot();
      if (params.ref.type === "ref/prompt") {
        // A task is free text, so there is nothing to complete.
        findPrompt(promptsOf(snapshot), params.ref.name);
        return completionOf([], "");
      }
      const { name, value } = params.argument;
      const known = await valuesOf(params.ref.uri, name, params, snapshot);
      return completionOf(known, value);
    },
  };
}

async function valuesOf(
  template: string,
  variable: string,
  { context }: CompleteRequest["params"],
  { catalog, library }: Snapshot,
): Promise<readonly string[]> {
  const given = context?.arguments ?? {};
  switch (template) {
    case LIBRARY_TEMPLATE:
      return variable === "skill_path" ? [...library.skills.keys()] : [];
    case SKILL_TEMPLATE:
      return skillValues(
        catalog.entries.filter(({ skill }) => skill.plugin === undefined),
        variable,
        given,
      );
    case PLUGIN_TEMPLATE:
      return skillValues(
        catalog.entries.filter(({ skill }) => skill.plugin !== undefined),
        variable,
        given,
      );
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource template: '${template}'.`);
  }
}

/** The values of one variable among the skills that the other variables leave. */
async function skillValues(
  entries: readonly Entry[],
  variable: string,
  given: GivenVariables,
): Promise<readonly string[]> {
  const fits = ({ skill }: Entry): boolean =>
    isOrAny(given["provider"], skill.provider) &&
    isOrAny(given["plugin"], skill.plugin?.name) &&
    (variable === "name" || isOrAny(given["name"], skill.name));
  switch (variable) {
    case "provider":
      return entries.map(({ skill }) => skill.provider);
    case "plugin":
      return entries.flatMap(({ skill }) => skill.plugin?.name ?? []);
    case "name":
      return entries.filter(fits).map(({ skill }) => skill.name);
    case "file": {
      const [entry, another] = given["name"] === undefined ? [] : entries.filter(fits);
      if (entry === undefined || another !== undefined) return [];
      return (await listSkillFiles(entry.skill)).files.map(({ names }) => names.join("/"));
    }
    default:
      return [];
  }
}

function isOrAny(wanted: string | undefined, actual: string | undefined): boolean {
  return wanted === undefined || wanted === "" || nameKey(wanted) === nameKey(actual ?? "");
}

/** Values that start with the typed text first, then those that contain it. */
function completionOf(known: readonly string[], typed: string): CompleteResult {
  const wanted = nameKey(typed);
  const matching = [...new Set(known)]
    .map((value) => ({ value, place: nameKey(value).indexOf(wanted) }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => Number(a.place > 0) - Number(b.place > 0) || compareKeys(a.value, b.value))
    .map(({ value }) => value);
  const values = matching.slice(0, MOST_VALUES);
  return { completion: { values, total: matching.length, hasMore: matching.length > values.length } };
}
