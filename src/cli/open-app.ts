import path from "node:path";
import { type App, createApp } from "../app/create-app.ts";
import { openSources, type Sources } from "../app/library/open-sources.ts";
import { disabledFile, readDisabledSets } from "../app/skills/disabled-sets.ts";
import { homeFolder } from "../system/files/home-folder.ts";
import type { Log } from "../system/log.ts";
import type { ServerPlan } from "./plan-server.ts";

/** What every transport serves. */
export interface OpenedApp extends Pick<Sources, "git" | "broken"> {
  readonly app: App;
  readonly close: () => Promise<void>;
}

/** The reason for shutdown when the library has invalid settings; the details are printed last. */
export const WRONG_SETTINGS = "the library's settings are invalid";

/** Reads the settings, opens the repositories and the skills. Invalid settings are a `Refusal`. */
export async function openApp({ app: options }: ServerPlan, log: Log): Promise<OpenedApp> {
  const { library, userDir, repos, autoRefresh } = options;
  const ownFolder = path.join(path.resolve(userDir ?? homeFolder()), ".skills-mcp");
  const { problem } = readDisabledSets(disabledFile(ownFolder));
  if (problem !== undefined) log.warn(`${problem} Until then, no skill is disabled for a single agent.`);
  const sources = await openSources({ library, repos, userDir, environment: process.env, log });
  const { git, broken, usage } = sources;
  const { app, close } = createApp({
    ...options,
    config: () => sources.settings().values,
    usage,
    ...(git === undefined ? {} : { git }),
    log,
  });
  const { enabled, interval_minutes } = sources.settings().values.refresh;
  git?.start(autoRefresh === true && enabled ? interval_minutes * 60_000 : undefined);
  return {
    app,
    git,
    broken,
    close: async () => {
      await Promise.all([close(), sources.close()]);
    },
  };
}
