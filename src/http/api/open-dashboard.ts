import type { App } from "../../app/create-app.ts";
import type { Log } from "../../system/log.ts";
import type { Page, PageContext } from "../server/options.ts";
import { createDashboardFiles, dashboardFolder } from "./dashboard-files.ts";
import { createDashboard } from "./dashboard-page.ts";

export interface OpenDashboardOptions {
  readonly app: App;
  readonly format: "xml" | "list";
  readonly budget: number | undefined;
  readonly log: Log;
}

/** The dashboard as it comes with the package; undefined, and said so, in a checkout where it was not built. */
export async function openDashboard(
  options: OpenDashboardOptions,
): Promise<((context: PageContext) => Page) | undefined> {
  const folder = dashboardFolder();
  if (folder !== undefined) return createDashboard({ ...options, files: await createDashboardFiles(folder) });
  options.log.warn("the dashboard is not built, so there is nothing at /: run npm run build.");
  return undefined;
}
