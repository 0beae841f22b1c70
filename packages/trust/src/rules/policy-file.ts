import path from "node:path";
import { readConfigFile, refuseProblems } from "#config";
import { type Log, readWhenChanged } from "#util";
import { Refusal } from "#util/pure";
import { hasPolicy, policyFile } from "./has-policy.ts";
import type { TrustPolicy } from "./policy.ts";

/** The rules of the user; undefined when there are none. A file that is wrong is refused: nobody knows what it meant. */
async function readPolicy(ownFolder: string): Promise<TrustPolicy | undefined> {
  const file = policyFile(ownFolder);
  const reading = await readConfigFile(file, { followLinks: true });
  if (reading === undefined) return undefined;
  if (!reading.ok) refuseProblems([{ place: file, message: reading.message }]);
  // Loaded on demand: most people have no rules.
  const { parsePolicy } = await import("./parse-policy.ts");
  const parsed = parsePolicy(reading.ok ? reading.text : "", file, path.dirname(ownFolder));
  if (parsed.ok) return parsed.policy;
  refuseProblems(parsed.problems);
  return undefined;
}

/** Refuses rules and approvals that are wrong, before a server starts with them. */
export async function refuseWrongPolicy(ownFolder: string): Promise<void> {
  if (!hasPolicy(ownFolder)) return;
  await readPolicy(ownFolder);
  // Loaded on demand, as everything that only people with rules need.
  const { approvalsFile, readApprovals } = await import("../approved/approvals.ts");
  readApprovals(approvalsFile(ownFolder));
}

/** The rules as they are now. A running server goes on with the last good ones while the file is wrong. */
export function createPolicyReader(ownFolder: string, log: Log): () => Promise<TrustPolicy | undefined> {
  const current = readWhenChanged(policyFile(ownFolder), () => readPolicy(ownFolder));
  let good: TrustPolicy | undefined;
  let lastLogged = "";
  return async () => {
    try {
      good = await current();
      lastLogged = "";
    } catch (error) {
      if (good === undefined || !(error instanceof Refusal)) throw error;
      if (lastLogged !== error.message) {
        for (const line of error.message.split("\n"))
          log.error(`new rules rejected, keeping the old ones: ${line}`);
      }
      lastLogged = error.message;
    }
    return good;
  };
}
