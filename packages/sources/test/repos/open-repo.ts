import { onTestFinished } from "vitest";
import { compose, type Services } from "#server";
import type { Snapshot } from "#skills";
import { logTo } from "../../../../test/support/log.ts";
import { createOrigin, type Origin } from "../../../../test/support/origin.ts";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { openSources } from "../../src/repos/open-sources.ts";

export interface OpenRepo {
  readonly sandbox: Sandbox;
  readonly origin: Origin;
  readonly services: Services;
  readonly snapshot: Snapshot;
  readonly logged: readonly string[];
  /** Fetches again, and scans. */
  refresh(): Promise<Snapshot>;
}

/** A repository with these files, served in this process. `suffix` follows its address. */
export async function openRepo(
  files: Readonly<Record<string, string>>,
  suffix = "",
  prepare: (origin: Origin) => void = () => {},
): Promise<OpenRepo> {
  const sandbox = createSandbox();
  const origin = createOrigin(sandbox.path());
  origin.commit(files);
  prepare(origin);
  const logged: string[] = [];
  const log = logTo((line) => logged.push(line));
  const environment = {
    PATH: process.env["PATH"],
    HOME: sandbox.home,
    SKILLS_REPO: `${origin.fileUrl}${suffix}`,
  };
  const { git, close: closeSources } = await openSources({
    library: undefined,
    userDir: sandbox.home,
    environment,
    log,
  });
  if (git === undefined) throw new Error("no repository");
  await git.fetchMissing();
  const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home, git, log });
  onTestFinished(async () => {
    await close();
    await closeSources();
  });
  return {
    sandbox,
    origin,
    services,
    snapshot: await services.skills.snapshot(),
    logged,
    async refresh() {
      await git.refresh();
      return services.skills.refresh();
    },
  };
}

/** What a snapshot serves: names of skills, then paths of library skills. */
export function servedBy({ catalog, library }: Snapshot): readonly string[] {
  return [...catalog.entries.map(({ listedAs }) => listedAs), ...library.skills.keys()];
}
