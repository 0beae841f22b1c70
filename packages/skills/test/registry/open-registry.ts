import { onTestFinished } from "vitest";
import type { AtEnd, Sandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { createRegistry, type RefreshEvent, type RegistryOptions } from "../../src/registry/registry.ts";
import type { Snapshot } from "../../src/registry/snapshot.ts";
import type { PluginOptions } from "../../src/roots/plugins.ts";
import { planRoots } from "../../src/roots/roots.ts";
import { createScanner } from "../../src/scan/scan.ts";

/** A registry over a sandbox's project and home, with everything it reports recorded. Closed when the test ends. */
export function openRegistry(
  sandbox: Sandbox,
  options: Partial<RegistryOptions> = {},
  atEnd: AtEnd = onTestFinished,
) {
  const events: RefreshEvent[] = [];
  const failures: unknown[] = [];
  const limits: string[] = [];
  const registry = createRegistry({
    scan: scannerOf(sandbox),
    filter: { include: [], exclude: [] },
    watch: false,
    intervalMs: undefined,
    onRefresh: (event) => events.push(event),
    onFailure: (error) => failures.push(error),
    onWatchLimit: (code) => limits.push(code),
    ...options,
  });
  atEnd(() => registry.close());
  return { registry, events, failures, limits };
}

/** The same, watching, and without any interval: what it learns it learns from the watcher. */
export async function openWatchingRegistry(
  sandbox: Sandbox,
  options: Partial<RegistryOptions> = {},
  atEnd: AtEnd = onTestFinished,
) {
  const opened = openRegistry(sandbox, { watch: true, ...options }, atEnd);
  const { registry, events } = opened;
  // The first scan answers waiting clients, the second sets up the watches.
  await waitUntil("the watches are set up", () => events.length >= 2);
  return {
    ...opened,
    /** Waits for the served skills to have these descriptions, in listing order. */
    serves: (...descriptions: string[]) =>
      waitUntil(`these are served: ${descriptions.join(", ")}`, async () => {
        const served = descriptionsIn(await registry.snapshot());
        return (
          served.length === descriptions.length && served.every((text, index) => text === descriptions[index])
        );
      }),
    /** Waits for a scan that began after this call. */
    async nextScan(): Promise<void> {
      const before = events.length;
      await waitUntil("the watcher asks for another scan", () => events.length > before);
    },
  };
}

export function scannerOf(sandbox: Sandbox) {
  const roots = planRoots({ cwd: sandbox.project, home: sandbox.home, skillDirs: [], defaultDirs: true });
  return createScanner({ roots, now: Date.now, plugins: pluginsOf(sandbox) });
}

function pluginsOf(sandbox: Sandbox): PluginOptions {
  return {
    file: sandbox.path("home/.claude/plugins/installed_plugins.json"),
    root: sandbox.path("home/.claude/plugins"),
    settingsFile: sandbox.path("home/.claude/settings.json"),
    named: false,
  };
}

export function descriptionsIn(snapshot: Snapshot): readonly string[] {
  return snapshot.catalog.entries.map((entry) => entry.skill.description);
}

export function namesIn(snapshot: Snapshot): readonly string[] {
  return snapshot.catalog.entries.map((entry) => entry.listedAs);
}
