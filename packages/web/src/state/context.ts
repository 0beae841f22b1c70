import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ProblemsAnswer, SessionAnswer } from "#server/wire";
import type { Client } from "../api/client.ts";
import type { Navigation } from "./navigation.ts";
import type { Resource } from "./use-resource.ts";

export interface ToastOptions {
  /** Takes back what the message is about: the message gets a button for it. */
  readonly undo?: () => Promise<void>;
  /** What would have done the same in a terminal. */
  readonly command?: string;
}

/** Shows a short-lived message. */
export type Notify = (text: string, options?: ToastOptions) => void;

export interface Dashboard {
  readonly client: Client;
  readonly session: SessionAnswer | undefined;
  readonly navigation: Navigation;
  /** Increases whenever the data may have changed. */
  readonly generation: number;
  /** Fetches everything again, as after a change that this page made. */
  readonly reload: () => void;
  /** Everything that is wrong: whoever shows a number of findings shows this one. */
  readonly problems: Resource<ProblemsAnswer>;
  /** How many skills wait for approval; undefined where none is reviewed, or somebody else decides. */
  readonly waiting: number | undefined;
  readonly isDark: boolean;
  readonly notify: Notify;
  /** Opens the dialog with the line that connects each client. */
  readonly connect: () => void;
  /** Opens the dialog that creates a skill. */
  readonly newSkill: () => void;
}

export const DashboardContext = createContext<Dashboard | undefined>(undefined);

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (dashboard === undefined) throw new Error("useDashboard needs a DashboardContext.");
  return dashboard;
}

/** What starts the server's program; its name until the server has said more. */
export function startOf(session: SessionAnswer | undefined): SessionAnswer["start"] {
  return session?.start ?? { command: ["skills-mcp"], shown: "skills-mcp" };
}

export function mayChange(session: SessionAnswer | undefined): boolean {
  return session?.scopes.includes("skills:admin") === true;
}
