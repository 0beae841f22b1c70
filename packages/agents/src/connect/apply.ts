import path from "node:path";
import { Refusal } from "#util/pure";
import { backUp, readConfigFile, reasonOf, removeConfigFile, writeConfigFile } from "./config-file.ts";
import { recordConnection } from "./connections.ts";
import type { StepFor } from "./plan-change.ts";
import type { Surroundings } from "./surroundings.ts";

/** A step that was taken, with the copy of the file as it was before. */
export interface Applied<T> {
  readonly step: StepFor<T>;
  readonly backup?: string;
}

/** Takes a step. One that fails becomes a refusal, with the file as it was. */
export async function applyStep<T extends { readonly id: string }>(
  step: StepFor<T>,
  { ownFolder }: Surroundings,
): Promise<Applied<T>> {
  if (step.action === "none" || step.action === "refuse") return { step };
  const { agent, file, config, before, after, recordIn } = step;
  try {
    const now = await readConfigFile(file);
    if (now.text !== before || now.target !== config.target) {
      throw new Refusal("It was changed in the meantime: run the command again.", { code: "cannot-connect" });
    }
    const backup =
      before === undefined
        ? {}
        : { backup: await backUp(path.join(ownFolder, "backups"), agent.id, file, before) };
    // Recorded first: a killed process may leave a record without an entry, never an entry that cannot be undone.
    if (step.record !== undefined) await recordConnection(ownFolder, config.target, step.record, recordIn);
    if (after === undefined) await removeConfigFile(config, step.madeFolders);
    else await writeConfigFile(config, after);
    if (step.record === undefined) await recordConnection(ownFolder, config.target, undefined, recordIn);
    return { step, ...backup };
  } catch (error) {
    return { step: { agent, scope: step.scope, file, action: "refuse", reason: reasonOf(error) } };
  }
}
