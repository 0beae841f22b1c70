import path from "node:path";
import type { Applied, FoundHook, HookTarget } from "#agents";
import { renderAgents, stepJson } from "../connect-plan.ts";
import { printable, type Style, shortPath } from "../text.ts";

/** What `hook status` prints: the installed agents first. */
export function renderHooks(
  found: readonly FoundHook[],
  home: string,
  width: number | undefined,
  style: Style,
): string {
  const rows = found.map(({ agent, file, isInstalled, state }) => {
    return { ...agent, isInstalled, state, file: shortPath(file, home) };
  });
  const reasons = found.flatMap(({ agent, reason }) =>
    reason === undefined ? [] : [style.red(`${agent.title}: ${printable(reason)}`)],
  );
  return `${[...renderAgents(rows, ["AGENT", "HOOK"], width, style), ...reasons].join("\n")}\n`;
}

export function hookJson(found: readonly FoundHook[]) {
  return {
    hooks: found.map(({ agent, file, isInstalled, state, command, reason }) => ({
      id: agent.id,
      title: agent.title,
      installed: isInstalled,
      state,
      ...(command === undefined ? {} : { command }),
      ...(reason === undefined ? {} : { reason }),
      file,
      documentation: agent.documentation,
    })),
  };
}

export function hookStepJson(applied: Applied<HookTarget>) {
  return { ...stepJson(applied, "hooked"), next: applied.step.agent.next };
}

interface HookOutcome {
  readonly verb: "install" | "remove";
  readonly applied: readonly Applied<HookTarget>[];
  /** Agents with the hook that do not have the server, whose tool the suggestions name. */
  readonly unconnected: readonly HookTarget[];
}

/** What was done, and what to do next. */
export function renderHookOutcome(
  { verb, applied, unconnected }: HookOutcome,
  home: string,
  style: Style,
): string {
  const done = applied.filter(({ step }) => step.action !== "none" && step.action !== "refuse");
  const titles = done.map(({ step }) => step.agent.title).join(", ");
  const backups = new Set(done.flatMap(({ backup }) => (backup === undefined ? [] : [path.dirname(backup)])));
  const next = [
    ...unconnected.map(({ id, title }) => `${title} has no server yet: skills-mcp connect ${id}`),
    ...new Set(done.map(({ step }) => step.agent.next)),
  ];
  return [
    "",
    ...(done.length === 0 ? [] : [`${verb === "install" ? "Installed" : "Removed"} the hook: ${titles}.`]),
    ...[...backups].map((folder) => `The files as they were are in ${printable(shortPath(folder, home))}.`),
    ...applied.flatMap(({ step }) =>
      step.action === "refuse" ? [style.red(`${step.agent.title}: ${printable(step.reason)}`)] : [],
    ),
    ...(verb === "install" && next.length > 0
      ? ["", style.bold("Next"), ...next.map((line) => `  ${line}`)]
      : []),
    "",
  ].join("\n");
}
