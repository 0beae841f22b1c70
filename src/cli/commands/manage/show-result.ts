import type { InstallResult } from "../../../app/install/install-session.ts";
import type { PlannedSkill } from "../../../app/install/plan.ts";
import { printJson, type Terminal } from "../../command.ts";
import { renderDone, renderPlan } from "../../render/plan.ts";
import { printable } from "../../render/text.ts";

/** Prints a plan before it is applied. */
export function planPrinter(json: boolean, terminal: Terminal): (plan: readonly PlannedSkill[]) => void {
  return (plan) => {
    if (!json) terminal.print(renderPlan(plan, terminal.style));
  };
}

/** Prints what was done; exit code 1 if a skill was not changed as planned. */
export function showResult(
  result: InstallResult,
  { json, terminal, allOrNothing = false }: { json: boolean; terminal: Terminal; allOrNothing?: boolean },
): number {
  const { plan, failed } = result;
  const hasConflict = plan.some(({ action }) => action === "conflict");
  if (json) printJson(terminal, result);
  else terminal.print(renderDone(result, allOrNothing && hasConflict, terminal.style));
  for (const { name, reason } of failed)
    terminal.logLine(`skills-mcp: '${printable(name)}' was not changed: ${printable(reason)}.`);
  return hasConflict || failed.length > 0 ? 1 : 0;
}
