import { type ClientInfo, clientChoices, clientMeant, findAgents } from "#agents";
import { DEFAULT_TOOLS, forProfiles, readLikelyUse, viewClient, withLibraryTools } from "#server";
import { readDisabledByClient, type Snapshot } from "#skills";
import { hasLibrary } from "#sources";
import { ownFolderIn } from "#util";
import { surroundingsFor } from "./change-agents.ts";
import type { FlagValues } from "./flags.ts";
import { sharedFolders } from "./plan-server.ts";
import type { CLIENT_FLAGS } from "./server-flags.ts";
import { homeFor, type ViewFlags, viewOptions } from "./shared-flags.ts";

type ListFlags = FlagValues<typeof CLIENT_FLAGS> & ViewFlags;

/** What a client's model is told by a server on stdio with the same flags. */
export function clientLists(
  given: ListFlags,
): (snapshot: Snapshot, client: ClientInfo) => ReturnType<typeof viewClient> {
  const { loader } = DEFAULT_TOOLS;
  const ownFolder = ownFolderIn(homeFor(given["user-dir"]));
  const settings = {
    ...forProfiles(
      {
        tools: hasLibrary(given, process.env) ? withLibraryTools(loader) : loader,
        descriptionBudget: given["description-budget"],
        instructionsBudget: given["instructions-budget"],
      },
      viewOptions(given).profiles ?? [],
    ),
    toolNames: "dotted",
    descriptionFormat: given.description ?? "xml",
    leaveOut: given["include-native"] ? [] : sharedFolders(false, {}, given["user-dir"]),
    disabledByClient: readDisabledByClient(ownFolder, given.visibility),
  } as const;
  const likelyUse = readLikelyUse(ownFolder, process.cwd());
  return (snapshot, client) => viewClient(snapshot, client, settings, () => likelyUse);
}

/** The agents that are installed on this machine, in their newest version; where none is, those whose lists were measured. */
export async function clientsHere(given: Pick<ListFlags, "user-dir">): Promise<readonly ClientInfo[]> {
  const found = await findAgents("user", surroundingsFor(given));
  const here = found.filter(({ isInstalled, state }) => isInstalled || state === "connected");
  const names =
    here.length > 0
      ? here.map(({ agent }) => agent.id)
      : clientChoices().flatMap(({ name, known }) => (known ? [name] : []));
  return names.map((name) => clientMeant(name));
}
