import { existsSync } from "node:fs";
import { keyPath, ownConfigFile, readLayer } from "#config";

/** What `audit.ignore` of the operator's own settings lists. Whatever is wrong with the file, others report. */
export async function ignoredRules(home: string): Promise<readonly string[]> {
  const file = ownConfigFile(home);
  if (!existsSync(file)) return [];
  const settings = await readLayer(file, { followLinks: true, home }, []);
  const setting = settings.find(({ parts }) => keyPath(parts) === "audit.ignore");
  return Array.isArray(setting?.value) ? setting.value.map(String) : [];
}
