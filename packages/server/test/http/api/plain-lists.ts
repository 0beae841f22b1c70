import { knownProfiles, readDisabledByClient } from "#skills";
import type { ListSettings } from "../../../src/http/api/model/model-handlers.ts";
import { DEFAULT_TOOLS } from "../../../src/mcp/definitions/tool-sets.ts";

/** What starts the program, as `serve` tells the page. */
export const START = { command: ["/usr/bin/node", "/opt/dist/cli.js"], shown: "node /opt/dist/cli.js" };

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
