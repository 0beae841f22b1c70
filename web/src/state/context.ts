import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SessionAnswer } from "../../../src/http/api/wire.ts";
import type { Client } from "../api/client.ts";
import type { Navigation } from "./navigation.ts";

export interface Dashboard {
  readonly client: Client;
  readonly session: SessionAnswer | undefined;
  readonly navigation: Navigation;
  /** Increases whenever the data may have changed. */
  readonly generation: number;
  readonly isDark: boolean;
  /** Shows a short-lived message. */
  readonly notify: (text: string) => void;
}

export const DashboardContext = createContext<Dashboard | undefined>(undefined);

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (dashboard === undefined) throw new Error("useDashboard needs a DashboardContext.");
  return dashboard;
}

export function mayChange(session: SessionAnswer | undefined): boolean {
  return session?.scopes.includes("skills:admin") === true;
}
