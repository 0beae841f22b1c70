import path from "node:path";
import { readInstalledContent } from "#skills";
import { applyChanges, commandFolder, type FolderChange, type FolderPlace } from "./apply/apply-changes.ts";
import { lastChanges, markUndone, newCommand, type TrashRecord, timeOf } from "./apply/trash.ts";
import { type InstallResult, type SessionOptions, trashFolder } from "./install-session.ts";
import { cannotInstall } from "./lock/lock-text.ts";
import { NO_FILES, type PlannedSkill } from "./plan/plan.ts";
import { type InstallPlaces, targetOf, withTarget } from "./target.ts";

/** Takes back the last command that changed this project or the user's skills. */
export async function undoLast(
  { dryRun, onPlan }: SessionOptions,
  places: InstallPlaces,
): Promise<InstallResult> {
  const targets = await Promise.all((["project", "user"] as const).map((scope) => targetOf(scope, places)));
  const trash = trashFolder(places.home);
  const isOf = (record: TrashRecord): boolean => targets.some(({ lock }) => lock.file === record.lock.file);
  const [first] = await lastChanges(trash, isOf);
  const target = targets.find(({ lock }) => lock.file === first?.lock.file);
  if (target === undefined) {
    const why = `${trash} has none of this project and none of the user's skills`;
    throw cannotInstall(`There is no change to undo: ${why}.`, "");
  }
  return withTarget(target, places.log, async () => {
    // Anew: a command that was interrupted has just been completed.
    const records = await lastChanges(trash, (record) => record.lock.file === target.lock.file);
    const plan = records.map(plannedUndo);
    onPlan?.(plan);
    if (dryRun) return { scope: target.scope, dryRun, plan, failed: [] };
    const { base, lock, skillsDir, journalFolder } = target;
    const command = await newCommand(trash, new Date());
    const fetchFolder = commandFolder(skillsDir, command);
    const options = { journalFolder, command, isUndo: true, base, lock, trash, fetchFolder };
    const failed = await applyChanges(records.map(undoing), options);
    const undone = records[0]?.command;
    if (undone !== undefined && failed.length === 0) await markUndone(trash, undone);
    return { scope: target.scope, dryRun, plan, failed };
  });
}

/** Everything comes back as it was. What is there now goes to the trash in its turn. */
function undoing({ name, kind, before, after, places }: TrashRecord): FolderChange {
  const back = places.map(({ target, old }): FolderPlace => {
    return { target, becomes: old === undefined ? { kind: "nothing" } : { kind: "copy", of: old } };
  });
  const opposite = { add: "remove", remove: "add", update: "update" } as const;
  return {
    name,
    kind: opposite[kind],
    before: after,
    after: before,
    places: back as [FolderPlace, ...FolderPlace[]],
  };
}

function plannedUndo({ name, kind, places, command }: TrashRecord): PlannedSkill {
  const [main] = places;
  const folder = main?.target ?? "";
  const files = [...(readInstalledContent(main?.old ?? folder) ?? new Map<string, unknown>()).keys()];
  const shown = { name, source: `as before ${timeOf(command)}`, folder };
  if (kind === "add") return { ...shown, action: "remove", files: { ...NO_FILES, removed: files } };
  if (kind === "remove") return { ...shown, action: "add", files: { ...NO_FILES, added: files } };
  if (main?.old === undefined) {
    const added = places.map(({ target }) => target).join(", ");
    return { ...shown, action: "update", files: NO_FILES, reason: `without ${added}` };
  }
  return {
    ...shown,
    action: "update",
    files: NO_FILES,
    reason: `back to the version in ${path.dirname(main.old)}`,
  };
}
