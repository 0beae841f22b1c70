import path from "node:path";
import { structuredPatch } from "diff";
import type { Applied, ConnectTarget, FoundAgent, StepFor } from "#agents";
import { cutToColumns, renderTable } from "./layout.ts";
import { printable, type Style, shortPath } from "./text.ts";

/** A file that is one long line would fill the screen. */
const LONGEST_LINE = 300;

type AnyStep = StepFor<{ readonly title: string }>;

/** What is said of a file that needs no change. */
interface UnchangedWords {
  readonly done: string;
  readonly absent: string;
}

const UNCHANGED: UnchangedWords = { done: "Already connected.", absent: "Not connected." };

/** What `connect`, `disconnect` and `hook` are going to do, with the lines that change. */
export function renderPlan(
  steps: readonly AnyStep[],
  home: string,
  width: number | undefined,
  style: Style,
  words = UNCHANGED,
): string {
  return steps
    .map((step) => {
      const heading = `${style.bold(step.agent.title)}  ${style.dim(printable(shortPath(step.file, home)))}`;
      return [
        heading.trimEnd(),
        ...detailLines(step, width, style, words).map((line) => `  ${line}`),
        "",
      ].join("\n");
    })
    .join("\n");
}

function detailLines(
  step: AnyStep,
  width: number | undefined,
  style: Style,
  { done, absent }: UnchangedWords,
): readonly string[] {
  if (step.action === "refuse") return [style.red(printable(step.reason))];
  if (step.action === "none") return [step.isConnected ? done : absent];
  const lines = diffLines(step.before, step.after).map((line) => {
    const text = cutToColumns(printable(line.replaceAll("\t", "  ")), (width ?? LONGEST_LINE) - 2);
    return line.startsWith("+")
      ? style.green(text)
      : line.startsWith("-")
        ? style.red(text)
        : style.dim(text);
  });
  if (step.after === undefined) return ["The file is removed: nothing else is in it.", ...lines];
  return step.why === undefined ? lines : [...lines, step.why];
}

/** The lines that change, with two lines around them. */
function diffLines(before: string | undefined, after: string | undefined): readonly string[] {
  const { hunks } = structuredPatch("", "", before ?? "", after ?? "", "", "", { context: 2 });
  return hunks.flatMap(({ lines, oldStart }, index) => [
    ...(index === 0 && oldStart <= 1 ? [] : ["…"]),
    ...lines,
  ]);
}

interface Outcome {
  readonly verb: "connect" | "disconnect";
  /** What the plan did not refuse, and failed. */
  readonly failed: readonly StepFor<ConnectTarget>[];
  readonly applied: readonly Applied<ConnectTarget>[];
}

/** What was done, and what to do next. */
export function renderOutcome({ verb, failed, applied }: Outcome, home: string, style: Style): string {
  const done = applied.filter(({ step }) => step.action !== "none" && step.action !== "refuse");
  const titles = done.map(({ step }) => step.agent.title).join(", ");
  const backups = done.flatMap(({ backup }) => (backup === undefined ? [] : [path.dirname(backup)]));
  const next = new Set(done.map(({ step }) => nextOf(step)));
  return [
    "",
    ...(done.length === 0 ? [] : [`${verb === "connect" ? "Connected" : "Disconnected"} ${titles}.`]),
    ...[...new Set(backups)].map(
      (folder) => `The files as they were are in ${printable(shortPath(folder, home))}.`,
    ),
    ...failed.flatMap((step) =>
      step.action === "refuse" ? [style.red(`${step.agent.title}: ${printable(step.reason)}`)] : [],
    ),
    ...(verb === "connect" && done.length > 0
      ? ["", style.bold("Next"), ...[...next].map((line) => `  ${line}`)]
      : []),
    "",
  ].join("\n");
}

function nextOf({ agent, scope }: StepFor<ConnectTarget>): string {
  return scope === "project" ? (agent.nextInProject ?? agent.next) : agent.next;
}

export function connectStepJson(applied: Applied<ConnectTarget>) {
  const { step } = applied;
  const why = "why" in step ? { why: step.why } : {};
  return { ...stepJson(applied, "connected"), ...why, next: nextOf(step) };
}

/** A step of `connect` or `hook`; `state` names what a step that changes nothing found. */
export function stepJson(
  { step, backup }: Applied<{ readonly id: string; readonly title: string }>,
  state: "connected" | "hooked",
) {
  const { agent, file, action } = step;
  return {
    id: agent.id,
    title: agent.title,
    file,
    action,
    ...(step.action === "refuse" ? { reason: step.reason } : {}),
    ...(step.action === "none" ? { [state]: step.isConnected } : {}),
    ...("before" in step
      ? { diff: diffLines(step.before, step.after), removesFile: step.after === undefined }
      : {}),
    ...(backup === undefined ? {} : { backup }),
  };
}

/** What `connect --list` prints: the installed ones first. */
export function renderClientList(
  found: readonly FoundAgent[],
  home: string,
  width: number | undefined,
  style: Style,
): string {
  const rows = found.map(({ agent, file, isInstalled, state }): AgentRow => {
    const shown = isInstalled || state !== "not connected" ? state : "";
    return { ...agent, isInstalled, state: shown, file: file && shortPath(file, home) };
  });
  return `${renderAgents(rows, ["CLIENT", "STATE"], width, style).join("\n")}\n`;
}

interface AgentRow {
  readonly id: string;
  readonly title: string;
  readonly isInstalled: boolean;
  readonly state: string;
  readonly file: string | undefined;
}

/** A table of programs and the files of their settings, the installed ones first. */
export function renderAgents(
  agents: readonly AgentRow[],
  [who, state]: readonly [string, string],
  width: number | undefined,
  style: Style,
): readonly string[] {
  const sorted = [...agents].sort((a, b) => Number(b.isInstalled) - Number(a.isInstalled));
  const titles = [who, "ID", "INSTALLED", state].map((title) => ({ title }));
  const rows = sorted.map((agent) => [
    agent.title,
    agent.id,
    agent.isInstalled ? "yes" : "no",
    agent.state,
    printable(agent.file ?? ""),
  ]);
  return renderTable([...titles, { title: "FILE", least: 20 }], rows, width, style.dim);
}

export function clientListJson(found: readonly FoundAgent[]) {
  return {
    clients: found.map(({ agent, file, isInstalled, state, reason }) => ({
      id: agent.id,
      title: agent.title,
      installed: isInstalled,
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(file === undefined ? {} : { file }),
      documentation: agent.documentation,
    })),
  };
}
