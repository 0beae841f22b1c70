import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import type { Snapshot } from "../../registry/registry.ts";
import type { ToolList } from "../definitions/tool-list.ts";
import type { ServerSettings } from "../server/settings.ts";

/** The list of tools as an earlier run wrote it, for a client that asks before the disk was looked at. */
export interface KeptToolList {
  /** Undefined when there is none, when something it was made of has changed, or when the disk is known. */
  early(budget: number): ListToolsResult | undefined;
  /** Keeps a list for the next run. Answers whether it is the one that was given early. */
  settle(budget: number, snapshot: Snapshot, list: ToolList): boolean;
}

export function createKeptToolList(
  app: App,
  settings: Pick<ServerSettings, "tools" | "toolNames" | "descriptionFormat">,
): KeptToolList {
  const { tools, toolNames, descriptionFormat } = settings;
  const questionOf = (budget: number): string =>
    JSON.stringify(["tools/list", tools, toolNames, descriptionFormat, budget]);
  const given = new Map<number, string>();
  return {
    early(budget) {
      const answer = app.earlyAnswer(questionOf(budget)) as ListToolsResult | undefined;
      if (answer !== undefined) given.set(budget, JSON.stringify(answer));
      return answer;
    },
    settle(budget, snapshot, { answer, shown }) {
      app.keepAnswer(questionOf(budget), answer, {
        snapshot,
        skills: snapshot.catalog.entries.slice(0, shown).map(({ skill }) => skill),
      });
      const early = given.get(budget);
      given.delete(budget);
      return early === undefined || early === JSON.stringify(answer);
    },
  };
}
