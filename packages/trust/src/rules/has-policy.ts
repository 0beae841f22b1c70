import { statSync } from "node:fs";
import path from "node:path";

export function policyFile(ownFolder: string): string {
  return path.join(ownFolder, "trust.yaml");
}

/** Whether there are rules at all. Nothing else is done for people who have none. */
export function hasPolicy(ownFolder: string): boolean {
  return statSync(policyFile(ownFolder), { throwIfNoEntry: false }) !== undefined;
}
