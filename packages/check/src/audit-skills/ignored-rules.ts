import { readOwnSettings } from "#config";

/** What `audit.ignore` of the operator's own settings lists. */
export async function ignoredRules(home: string): Promise<readonly string[]> {
  return (await readOwnSettings(home)).audit.ignore;
}
