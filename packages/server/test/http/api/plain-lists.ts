import { knownProfiles, readDisabledByClient } from "#skills";
import type { ListSettings } from "../../../src/http/api/model/model-handlers.ts";
import { DEFAULT_TOOLS } from "../../../src/mcp/definitions/tool-sets.ts";

/** As `serve` has them without flags. */
export function plainLists(ownFolder = "/nowhere"): ListSettings {
  return {
    http: () => ({
      tools: DEFAULT_TOOLS.loader,
      toolNames: "dotted",
      descriptionFormat: "xml",
      descriptionBudget: undefined,
      leaveOut: ["user", "plugin"],
    }),
    localFolders: () => ["project", "user", "plugin"],
    disabledByClient: () => readDisabledByClient(ownFolder),
    profiles: () => knownProfiles({}, ownFolder),
  };
}
