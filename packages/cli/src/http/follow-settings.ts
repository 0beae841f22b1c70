import type { Config } from "#config";
import { changedKeys, FLAG_SETTINGS, needsRestart, onFilesChange, placeOfOrigin } from "#config";
import type { ServerPlan } from "#server";
import type { Log } from "#util";
import { platform, singleFlight } from "#util";
import { Refusal } from "#util/pure";
import { changedFlagSettings } from "../file-flags.ts";
import type { OpenedApp } from "../open-app.ts";

interface FollowSettingsOptions<T> extends Pick<OpenedApp, "services" | "sources"> {
  /** The flags that the server runs with. */
  readonly given: T;
  readonly givenNow: () => Promise<T>;
  /** What a server with these flags would serve. Wrong ones are a `Refusal`. */
  readonly planOf: (given: T) => ServerPlan;
  /** The plan that the server was started with. */
  readonly plan: ServerPlan;
  /** Files to watch besides those of the sources. They need not exist. */
  readonly files: readonly string[];
  /** Called with the flags of each reload, before anything else changes. Wrong profiles are a `Refusal`. */
  readonly takeOver: (given: T) => void;
  /** What else SIGHUP reloads. */
  readonly reloadTokens: () => Promise<void>;
  readonly log: Log;
}

export interface FollowedSettings {
  /** What sessions that begin now are served. */
  plan(): ServerPlan;
  close(): void;
}

/**
 * Takes over changed settings while the server runs: when a file changes and, except on Windows, with SIGHUP. Sessions
 * stay open. Wrong settings change nothing.
 */
export function followSettings<T extends Readonly<Record<string, unknown>>>({
  services,
  sources,
  givenNow,
  planOf,
  reloadTokens,
  log,
  ...start
}: FollowSettingsOptions<T>): FollowedSettings {
  // As the files were when they were read last, so that a setting that needs a restart is named once.
  let { given, plan } = start;
  const reload = singleFlight(async () => {
    try {
      const [fresh, config] = [await givenNow(), await sources.readSettings()];
      const planned = planOf(fresh);
      start.takeOver(fresh);
      const changed = changedSettings({ given, config: sources.settings() }, { given: fresh, config });
      if (changed.some((key) => VIEW_SECTIONS.has(sectionOf(key)))) await services.setView(planned.app);
      given = fresh;
      sources.replaceSettings(config);
      if (changed.length > 0) plan = planned;
      logChanges(changed, config, log);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof Refusal)) log.debug(`${error instanceof Error ? error.stack : reason}`);
      for (const line of reason.split("\n"))
        log.error(`settings not reloaded, the previous ones stay in use: ${line}`);
    }
  });

  const files = new Set([...sources.settingsFiles, ...start.files]);
  const stopFollowing = onFilesChange([...files], () => void reload());
  const onHangUp = (): void => {
    log.info("reloading tokens and settings: SIGHUP");
    void reloadTokens();
    void reload();
  };
  if (platform.processes.hangUpReloads) process.on("SIGHUP", onHangUp);
  return {
    plan: () => plan,
    close() {
      stopFollowing();
      process.off("SIGHUP", onHangUp);
    },
  };
}

/** The sections that decide which skills are served. */
const VIEW_SECTIONS: ReadonlySet<string> = new Set(["skills", "audit"]);
/** The sections that reach a server with its flags, though no flag says the same. */
const SECTIONS_WITH_FLAGS: ReadonlySet<string> = new Set(["audit", "repos", "project"]);

const sectionOf = (key: string): string => key.split(/[.[]/, 1)[0] ?? key;

interface Effective {
  readonly given: Readonly<Record<string, unknown>>;
  readonly config: Config;
}

function changedSettings(before: Effective, after: Effective): readonly string[] {
  const others = changedKeys(before.config, after.config).filter(
    (key) => !SECTIONS_WITH_FLAGS.has(sectionOf(key)) && !isFlagValue(key, after.given),
  );
  return [...changedFlagSettings(before.given, after.given), ...others];
}

/** Whether a flag has the value of this setting, or is used instead of it. */
function isFlagValue(key: string, given: Effective["given"]): boolean {
  const [name, setting] = Object.entries(FLAG_SETTINGS).find(([, one]) => one.key === key) ?? [""];
  return setting !== undefined && (setting.isFilled || given[name] !== undefined);
}

function logChanges(changed: readonly string[], { origins }: Config, log: Log): void {
  const live = changed.filter((key) => !needsRestart(key));
  if (changed.length === 0) log.debug("settings reloaded: no change");
  if (live.length > 0) log.info(`settings reloaded: ${live.join(", ")}`);
  for (const key of changed.filter(needsRestart)) {
    const origin = origins.get(key);
    const place = origin?.kind === "file" ? `${placeOfOrigin(origin)}: ` : "";
    log.warn(`${place}${key} has changed; restart the server to use it`);
  }
}
