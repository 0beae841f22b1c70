import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { readWhole } from "#skills";
import { apmOrigins, clawHubLock, clawHubOrigin, gitHubOrigin } from "../lock/other-origins.ts";
import type { InstallPlaces } from "../target.ts";

const MOST_BYTES = 8 * 1024 * 1024;

/** What other tools wrote about where a skill is from: ClawHub, `gh skill` and APM. Undefined when none did. */
export async function foreignOrigin(
  folder: string,
  { cwd, home }: Pick<InstallPlaces, "cwd" | "home">,
): Promise<string | undefined> {
  for (const own of [".clawhub", ".clawdhub"]) {
    const origin = clawHubOrigin(await readSmall(path.join(folder, own, "origin.json")));
    if (origin !== undefined) return origin;
  }
  const loaded = await readWhole(path.join(folder, "SKILL.md"));
  const onGitHub = loaded.ok ? gitHubOrigin(loaded.skill.fields) : undefined;
  if (onGitHub !== undefined) return onGitHub;
  for (const base of [cwd, path.join(home, ".apm")]) {
    const relative = path.relative(base, folder).split(path.sep).join("/");
    const origin = apmOrigins(await readSmall(path.join(base, "apm.lock.yaml"))).get(relative);
    if (origin !== undefined) return origin;
  }
  // ClawHub installs into `skills/` of its working folder.
  for (const own of [".clawhub", ".clawdhub"]) {
    const lock = clawHubLock(await readSmall(path.join(path.dirname(folder), "..", own, "lock.json")));
    const origin = lock.get(path.basename(folder));
    if (origin !== undefined) return origin;
  }
  return undefined;
}

async function readSmall(file: string): Promise<string> {
  try {
    const stats = await stat(file);
    return stats.isFile() && stats.size <= MOST_BYTES ? await readFile(file, "utf8") : "";
  } catch {
    return "";
  }
}
