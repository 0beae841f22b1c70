import path from "node:path";
import { hasFileSettings, readEnvironment } from "#config";
import { disabledFile, readDisabledSets } from "#skills";
import { hasLibrary } from "#sources";
import { hasPolicy } from "#trust";
import { mayExist } from "#util";
import type { ServerPlan } from "./server-plan.ts";

/**
 * What a server reads at its start besides its command line. In each something can be wrong, which the first answers tell:
 * `openApp` reads what is there, and the early answer is not sent while anything is.
 */
export interface StartInputs {
  /** Rules of trust, with the approvals. */
  readonly policy: boolean;
  /** Settings files and synonyms, or a list of disabled skills or an environment variable that is wrong. */
  readonly settings: boolean;
  /** A library, whose content may have settings of its own. */
  readonly library: boolean;
}

/** Looks which inputs there are. No file is read but the list of disabled skills, if there is one. */
export function findStartInputs({ app: { library, repos }, home, ownFolder }: ServerPlan): StartInputs {
  return {
    policy: hasPolicy(ownFolder),
    settings:
      hasFileSettings({ cwd: process.cwd(), home }) ||
      mayExist(path.join(ownFolder, "synonyms.yaml")) ||
      readDisabledSets(disabledFile(ownFolder)).problem !== undefined ||
      readEnvironment(process.env).problems.length > 0,
    library: repos !== undefined || hasLibrary({ library }, process.env),
  };
}

/** False: once its flags are planned, the server is sure to start. */
export function readsMoreThanFlags(plan: ServerPlan): boolean {
  return Object.values(findStartInputs(plan)).includes(true);
}
