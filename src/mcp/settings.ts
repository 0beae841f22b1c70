import type { ToolSelection } from "./tool-sets.ts";

/** What the operator decided about the served tools. The same for every session of a process. */
export interface ServerSettings {
  readonly tools: ToolSelection;
  /** `underscore` advertises `skills_list` for `skills.list`. Calls may use either. */
  readonly toolNames: "dotted" | "underscore";
  readonly descriptionFormat: "xml" | "list";
  /** Undefined: by what is known of the client. */
  readonly descriptionBudget: number | undefined;
  /** Whether anything can notice a change and announce it. */
  readonly announcesChanges: boolean;
  /** Receives one line for each failure that someone should look into. */
  readonly log: (line: string) => void;
}
