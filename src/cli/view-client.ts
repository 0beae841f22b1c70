import path from "node:path";
import type { App } from "../app/create-app.ts";
import { hasLibrary } from "../app/library/open-sources.ts";
import { withoutSkills } from "../app/skills/withheld-skills.ts";
import { type Client, isKnown } from "../mcp/clients/profiles.ts";
import { readWithheld } from "../mcp/clients/withheld.ts";
import { createToolList, profileFor, type ToolListSettings } from "../mcp/definitions/tool-list.ts";
import { DEFAULT_TOOLS, withLibraryTools } from "../mcp/definitions/tool-sets.ts";
import type { Snapshot } from "../registry/registry.ts";
import { homeFolder } from "../system/files/home-folder.ts";
import { badUsage, type FlagValues } from "./flags.ts";
import { sharedFolders } from "./plan-server.ts";
import type { ClientView } from "./render/client-view.ts";
import type { CLIENT_FLAGS } from "./server-flags.ts";
import { userFolder, type VIEW_FLAGS } from "./shared-flags.ts";

/** Reads `name` or `name@version`. A name may begin with `@`. */
export function parseClient(text: string): Client {
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
export function viewClient(
  { recentSkills }: Pick<App, "recentSkills">,
  current: Snapshot,
  client: Client,
  given: FlagValues<typeof CLIENT_FLAGS & typeof VIEW_FLAGS>,
): ClientView {
  const { loader } = DEFAULT_TOOLS;
  const settings: ToolListSettings = {
    tools: hasLibrary(given, process.env) ? withLibraryTools(loader) : loader,
    toolNames: "dotted",
    descriptionFormat: given.description ?? "xml",
    descriptionBudget: given["description-budget"],
    instructionsBudget: given["instructions-budget"],
    leaveOut: given["include-native"] ? [] : sharedFolders(false, {}, given["user-dir"]),
  };
  const home = path.resolve(given["user-dir"] === undefined ? homeFolder() : userFolder(given["user-dir"]));
  const withheld = readWithheld(path.join(home, ".skills-mcp"), undefined)?.(client);
  const snapshot = withoutSkills(current, withheld);
  const { answer, instructions, complete, shown, native } = createToolList(settings, recentSkills)(
    snapshot,
    client,
  );
  const { title, budgets } = profileFor(client, settings);
  return {
    client: client.version === undefined ? client.name : `${client.name} ${client.version}`,
    ...(isKnown(client) ? { title } : {}),
    budgets,
    instructions,
    tools: answer.tools.map(({ name, description = "" }) => ({ name, description })),
    complete,
    skills: snapshot.catalog.entries.length - native.length,
    shown: shown.length,
    native: native.map(({ listedAs }) => listedAs),
  };
}
