import path from "node:path";
import { type Applied, type ConnectTarget, changedLines, type Found, type StepFor } from "#agents";
import type { ConnectionCheck } from "../check-connection.ts";
import { type Column, cutToColumns, renderTable, wrap } from "./layout.ts";
import { count, type Look, printable, type Style, shortPath } from "./text.ts";

/** Lines of a diff are cut to this length: a file that is one long line would fill the screen. */
const LONGEST_LINE = 300;

type AnyStep = StepFor<{ readonly title: string }>;
type DocumentedAgent = Pick<ConnectTarget, "id" | "title" | "documentation">;
type ChangedAgent = Pick<ConnectTarget, "id" | "title" | "next" | "nextInProject">;

/** The sentence that is printed for a file that needs no change. */
interface UnchangedWords {
  readonly done: string;
  readonly absent: string;
}

const UNCHANGED: UnchangedWords = { done: "Already connected.", absent: "Not connected." };

/** What `connect`, `disconnect` and `hook` are going to do, with the lines that change. */
export function renderPlan(steps: readonly AnyStep[], home: string, look: Look, words = UNCHANGED): string {
  const { style } = look;
  return steps
    .map((step) => {
      const heading = `${style.bold(step.agent.title)}  ${style.dim(printable(shortPath(step.file, home)))}`;
      const details = detailLines(step, look, words).map((line) => `  ${line}`);
      return [heading.trimEnd(), ...details, ""].join("\n");
    })
    .join("\n");
}

function detailLines(
  step: AnyStep,
  { width, style }: Look,
  { done, absent }: UnchangedWords,
): readonly string[] {
  if (step.action === "refuse") return [style.red(printable(step.reason))];
  if (step.action === "none") return [step.isConnected ? done : absent];
  const lines = changedLines(step.before, step.after).map((line) => {
    const text = cutToColumns(printable(line.replaceAll("\t", "  ")), (width ?? LONGEST_LINE) - 2);
    if (line.startsWith("+")) return style.green(text);
    return line.startsWith("-") ? style.red(text) : style.dim(text);
  });
  if (step.after === undefined) return ["The file is removed: nothing else is in it.", ...lines];
  return step.why === undefined ? lines : [...lines, step.why];
}

/** Says that the program was copied, and why. */
export function copiedLine(folder: string, home: string): string {
  return `skills-mcp: This program is in a cache that may be emptied, so it was copied to ${printable(shortPath(folder, home))}.`;
}

interface Outcome {
  readonly applied: readonly Applied<ChangedAgent>[];
  /** The steps whose refusals are not in the plan. */
  readonly failed: readonly StepFor<ChangedAgent>[];
  /** Says what was done to the agents with these titles. */
  readonly done: (titles: string) => string;
  /** False: nothing is left to do. */
  readonly hasNext: boolean;
  /** What to do before what the agents need. */
  readonly first?: readonly string[];
}

/** What was done, and what to do next. */
export function renderOutcome(
  { applied, failed, done: sentence, hasNext, first = [] }: Outcome,
  home: string,
  style: Style,
): string {
  const done = applied.filter(({ step }) => step.action !== "none" && step.action !== "refuse");
  const backups = new Set(done.flatMap(({ backup }) => (backup === undefined ? [] : [path.dirname(backup)])));
  const next = hasNext ? [...first, ...new Set(done.map(({ step }) => nextOf(step)))] : [];
  return [
    "",
    ...(done.length === 0 ? [] : [sentence(done.map(({ step }) => step.agent.title).join(", "))]),
    ...[...backups].map((folder) => `The files as they were are in ${printable(shortPath(folder, home))}.`),
    ...failed.flatMap((step) =>
      step.action === "refuse" ? [style.red(`${step.agent.title}: ${printable(step.reason)}`)] : [],
    ),
    ...(next.length === 0 ? [] : ["", style.bold("Next"), ...next.map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

function nextOf({ agent, scope }: StepFor<ChangedAgent>): string {
  return scope === "project" ? (agent.nextInProject ?? agent.next) : agent.next;
}

/** A step of `connect` or `hook`; `state` names what a step that changes nothing found. */
export function stepJson({ step, backup }: Applied<ChangedAgent>, state: "connected" | "hooked") {
  const { agent, file, action } = step;
  return {
    id: agent.id,
    title: agent.title,
    file,
    action,
    ...(step.action === "refuse" ? { reason: step.reason } : {}),
    ...(step.action === "none" ? { [state]: step.isConnected } : {}),
    ...("before" in step
      ? { diff: changedLines(step.before, step.after), removesFile: step.after === undefined }
      : {}),
    ...(backup === undefined ? {} : { backup }),
    ...("why" in step ? { why: step.why } : {}),
    next: nextOf(step),
  };
}

/** Whether the server answers that agents were connected to. */
export function renderCheck({ ok, message }: ConnectionCheck, style: Style): string {
  const text = printable(message);
  return `\n${ok === undefined ? style.yellow(text) : ok ? style.green(text) : style.red(text)}\n`;
}

interface AgentList {
  /** The titles of the first column and of the state. */
  readonly titles: readonly [string, string];
  /** What a file that has no entry of ours is said to be. */
  readonly none: string;
  readonly home: string;
  /** The command that lists every agent; without one, every agent is listed. */
  readonly listAll?: string | undefined;
}

/** What `connect --list` and `hook status` print: the installed ones first. A terminal gets the others only on request. */
export function renderAgents(
  found: readonly Found<DocumentedAgent, string>[],
  { titles: [who, state], none, home, listAll }: AgentList,
  { width, style }: Look,
): string {
  // A narrow terminal has what people type and what they ask for; the id says who it is.
  const columns: readonly Column[] = [
    { title: who, least: 8 },
    { title: "ID" },
    { title: state },
    { title: "FILE", least: 20, optional: true },
  ];
  const isHere = ({ isInstalled, state }: (typeof found)[number]): boolean => isInstalled || state !== none;
  const here = found.filter(isHere);
  const others = found.filter((one) => !isHere(one));
  const isCut = listAll !== undefined && here.length > 0 && others.length > 0;
  const rows = (isCut ? here : [...here, ...others]).map((one) => [
    one.agent.title,
    one.agent.id,
    isHere(one) ? one.state : "not installed",
    one.file === undefined ? "" : printable(shortPath(one.file, home)),
  ]);
  const more = `${count(others.length, "more agent")} can be connected once installed. To list all, run: ${listAll}`;
  const lines = [
    ...renderTable(columns, rows, width, style.dim),
    ...(isCut ? ["", ...wrap(more, width ?? Number.POSITIVE_INFINITY)] : []),
  ];
  return `${lines.join("\n")}\n`;
}

export function agentsJson(found: readonly Found<DocumentedAgent, string>[]) {
  return found.map(({ agent, file, isInstalled, state, command, reason }) => ({
    id: agent.id,
    title: agent.title,
    installed: isInstalled,
    state,
    ...(command === undefined ? {} : { command }),
    ...(reason === undefined ? {} : { reason }),
    ...(file === undefined ? {} : { file }),
    documentation: agent.documentation,
  }));
}
