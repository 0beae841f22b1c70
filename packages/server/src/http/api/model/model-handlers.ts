import { type ClientInfo, clientChoices, clientMeant } from "#agents";
import type { DisabledByClient, Location, Snapshot, SnapshotSource } from "#skills";
import { alsoOutsideOf, type Profile, requireProfiles } from "#skills";
import {
  type ClientViewSettings,
  type SkillShown,
  viewClient,
} from "../../../mcp/client-view/client-view.ts";
import { type ToolListSettings, traitsFor } from "../../../mcp/definitions/tool-list.ts";
import { forProfiles } from "../../../mcp/definitions/tool-sets.ts";
import type { UsageRecords } from "../../../services.ts";
import type { ModelAnswer } from "../../../wire/model.ts";
import type { SeenClient } from "../../transports/client-log.ts";
import { type ApiRequest, badParameter, formatIn, isAdministrator, numberIn } from "../api-request.ts";
import type { Handlers } from "../create-api.ts";
import { json } from "../json-answer.ts";
import { withUsualClient } from "./usual-client.ts";

/** What decides the lists of this server, and of one that a client starts on this machine. */
export interface ListSettings {
  readonly http: () => ToolListSettings;
  /** Where a client on this machine finds the same skills as a server that it starts. */
  readonly localFolders: () => readonly Location[];
  /** What is disabled for which client. */
  readonly disabledByClient: () => DisabledByClient | undefined;
  /** Everyone who sees only some of the skills. */
  readonly profiles: () => readonly Profile[];
}

const MOST_LISTED = 500;
const LONGEST_NAME = 200;

export function modelReads(
  skills: Pick<SnapshotSource, "snapshot">,
  likelyUse: UsageRecords["likelyUse"],
  lists: ListSettings,
  clients: () => readonly SeenClient[],
): Handlers {
  return {
    async model(asked) {
      const request = withUsualClient(asked, clients());
      const client = clientIn(request.query);
      const snapshot = await skills.snapshot();
      const settings = settingsIn(request, lists, snapshot);
      const { view, skills: shownSkills } = viewClient(snapshot, client, settings, likelyUse);
      const { budgets: usualBudgets } = traitsFor(client, lists.http());
      const amount = (shown: SkillShown["shown"]): number =>
        shownSkills.filter((skill) => skill.shown === shown).length;
      return json({
        ...view,
        clients: clientChoices(),
        ...(client.version === undefined ? {} : { version: client.version }),
        connection: settings.isRemote === true ? "http" : "stdio",
        format: settings.descriptionFormat,
        usualBudgets,
        list: shownSkills.slice(0, MOST_LISTED),
        amounts: {
          whole: amount("whole"),
          cut: amount("cut"),
          name: amount("name"),
          absent: amount("absent"),
        },
      } satisfies ModelAnswer);
    },
  };
}

/** `client=claude-code&version=2.1.325`, or `version=newest`; `withUsualClient` adds what is missing. */
export function clientIn(query: URLSearchParams): ClientInfo {
  const name = query.get("client")?.trim() || "claude-code";
  const version = query.get("version")?.trim() ?? "";
  if (name.length > LONGEST_NAME || version.length > LONGEST_NAME)
    throw badParameter("client", `must have at most ${LONGEST_NAME} characters`);
  if (version === "newest") return clientMeant(name);
  return version === "" ? { name } : { name, version };
}

/** The settings of the connection that was asked for, with other budgets, another format and a profile where they are. */
export function settingsIn(
  request: Pick<ApiRequest, "query" | "scopes">,
  lists: ListSettings,
  snapshot: Snapshot,
): ClientViewSettings {
  const { query } = request;
  const { disabledByClient, localFolders } = lists;
  const http = lists.http();
  const isRemote = query.get("connection") === "http";
  const leaveOut = isRemote ? (http.leaveOut ?? []) : localFolders();
  const name = query.get("profile") ?? "";
  const known = isAdministrator(request) ? lists.profiles() : [];
  const profiles = name === "" ? [] : requireProfiles(known, [name]);
  const asked = {
    tools: http.tools,
    descriptionBudget: numberIn(query, "budget", 1, 10_000_000) ?? http.descriptionBudget,
    instructionsBudget: numberIn(query, "instructions", 0, 10_000_000) ?? http.instructionsBudget,
  };
  return {
    ...http,
    ...forProfiles(asked, profiles),
    descriptionFormat: formatIn(query) ?? http.descriptionFormat,
    leaveOut: query.get("native") === "1" ? [] : leaveOut,
    disabledByClient: alsoOutsideOf(profiles, snapshot, disabledByClient()),
    isRemote,
  };
}
