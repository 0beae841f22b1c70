import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import { createKeptToolList, type KeptToolList } from "../first-answers/kept-tool-list.ts";
import type { ServerSettings } from "../server/settings.ts";
import { descriptionBudgetFor } from "./client-budget.ts";
import { createToolList } from "./tool-list.ts";

/** The lists of tools, of this process and of the last one. */
export interface ToolLists {
  readonly of: ReturnType<typeof createToolList>;
  /** Absent where lists do not outlive the process. */
  readonly kept: KeptToolList | undefined;
  budgetFor(clientName: string | undefined): number;
  /** For a client that asks before the SDK is loaded. What else follows from being asked is left to the SDK's own answer. */
  early(clientName: string): Promise<ListToolsResult>;
}

export function createToolLists(app: App, settings: ServerSettings): ToolLists {
  const of = createToolList(settings);
  const kept =
    settings.keepsLists === true && settings.announcesChanges ? createKeptToolList(app, settings) : undefined;
  const budgetFor = (clientName: string | undefined): number =>
    settings.descriptionBudget ?? descriptionBudgetFor(clientName);
  return {
    of,
    kept,
    budgetFor,
    async early(clientName) {
      const budget = budgetFor(clientName);
      return kept?.early(budget) ?? of(await app.snapshot(), budget, undefined).answer;
    },
  };
}
