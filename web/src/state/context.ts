import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SessionAnswer } from "../../../src/http/api/wire.ts";
import type { Client } from "../api/client.ts";
import type { Navigation } from "./navigation.ts";

export interface Dashboard {
  readonly client: Client;
  readonly session: SessionAnswer | undefined;
  readonly navigation: Navigation;
  /** Another number whenever what is shown may have changed. */
  readonly generation: number;
  readonly isDark: boolean;
  /** Says something in passing. */
  readonly say: (text: string) => void;
}

export const DashboardContext = createContext<Dashboard | undefined>(undefined);

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (dashboard === undefined) throw new Error("This part is not inside the dashboard.");
  return dashboard;
}

export function mayChange(session: SessionAnswer | undefined): boolean {
  return session?.scopes.includes("skills:admin") === true;
}
