import path from "node:path";
import type { ClientInfo } from "#agents";
import {
  type ClientView,
  DEFAULT_TOOLS,
  forProfiles,
  readLikelyUse,
  viewClient,
  withLibraryTools,
} from "#server";
import type { Snapshot } from "#skills";
import { readDisabledByClient } from "#skills";
import { hasLibrary } from "#sources";
import { homeFolder, ownFolderIn } from "#util";
import { badUsage, type FlagValues } from "./flags.ts";
import { sharedFolders } from "./plan-server.ts";
import type { CLIENT_FLAGS } from "./server-flags.ts";
import { userFolder, type VIEW_FLAGS, viewOptions } from "./shared-flags.ts";

/** Reads `name` or `name@version`. A name may begin with `@`. */
export function parseClient(text: string): ClientInfo {
  const at = text.indexOf("@", 1);
  const name = (at < 0 ? text : text.slice(0, at)).trim();
  const version = at < 0 ? "" : text.slice(at + 1).trim();
  if (name === "" || (at >= 0 && version === ""))
    throw badUsage(
      "--client",
      `--client takes a name or name@version, such as claude-code@2.1.325, not '${text}'.`,
    );
  return version === "" ? { name } : { name, version };
}

/** What a client's model is told by a server on stdio with the same flags. */
export function viewClientWith(
  snapshot: Snapshot,
  client: ClientInfo,
  given: FlagValues<typeof CLIENT_FLAGS & typeof VIEW_FLAGS>,
): ClientView {
  const { loader } = DEFAULT_TOOLS;
  const home = path.resolve(given["user-dir"] === undefined ? homeFolder() : userFolder(given["user-dir"]));
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
    disabledByClient: readDisabledByClient(ownFolderIn(home)),
  } as const;
  const likelyUse = readLikelyUse(ownFolderIn(home), process.cwd());
  return viewClient(snapshot, client, settings, () => likelyUse).view;
}
