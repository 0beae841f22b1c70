import type { InstallResult, PlannedSkill } from "#install";
import { printJson, type Terminal } from "../command.ts";
import { renderAvailable, renderDone, renderPlan } from "../render/install/plan.ts";
import { printable } from "../render/text.ts";
import type { SeenBy } from "./who-sees.ts";

interface Showing {
  readonly json: boolean;
  readonly terminal: Terminal;
  /** True: a conflict in one skill leaves all of them unchanged. */
  readonly allOrNothing?: boolean;
  readonly isUndo?: boolean;
  /** Which agents see what was installed. */
  readonly seenBy?: SeenBy | undefined;
}

/** Prints a plan before it is applied. */
export function planPrinter(json: boolean, terminal: Terminal): (plan: readonly PlannedSkill[]) => void {
  return (plan) => {
    if (!json) terminal.print(renderPlan(plan, terminal.style));
  };
}

/** Prints what was done; exit code 1 if a skill was not changed as planned. */
export function showResult(
  result: InstallResult,
  { json, terminal, allOrNothing = false, isUndo = false, seenBy }: Showing,
): number {
  const { plan, failed, available } = result;
  const hasConflict = plan.some(({ action }) => action === "conflict");
  if (json) printJson(terminal, { ...result, ...(seenBy === undefined ? {} : { seenBy }) });
  else if (available !== undefined) terminal.print(renderAvailable(available, terminal));
  else {
    const outcome = { isRefused: allOrNothing && hasConflict, isUndo, seenBy };
    terminal.print(renderDone(result, outcome, terminal.style));
  }
  for (const { name, reason } of failed)
    terminal.logLine(`skills-mcp: '${printable(name)}' was not changed: ${printable(reason)}.`);
  return hasConflict || failed.length > 0 ? 1 : 0;
}
