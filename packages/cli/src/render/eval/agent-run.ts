import type { AgentResult } from "#search";
import { cutToColumns, renderTable } from "../layout.ts";
import { count, type Look, printable } from "../text.ts";
import { percent } from "./report.ts";

/** One line for each prompt while an agent works. */
export function agentLine(
  { name, prompt, loaded, passed, problem }: AgentResult,
  number: number,
  all: number,
): string {
  const what = problem ?? (loaded.length === 0 ? "loaded nothing" : `loaded ${loaded.join(", ")}`);
  const text = `${passed ? "ok" : "no"}  ${name}  ${cutToColumns(prompt.replace(/\s+/g, " "), 60)}: ${what}`;
  return `${number}/${all} ${printable(text)}`;
}

/** What an agent loaded, by skill. */
export function renderAgentRun(
  agent: string,
  results: readonly AgentResult[],
  { width, style }: Look,
): string {
  const names = [...new Set(results.map(({ name }) => name))];
  const columns = [
    { title: "SKILL", least: 12 },
    ...["PROMPTS", "LOADED", "OTHERS", "NOTHING", "FAILED"].map((title) => ({
      title,
      align: "right" as const,
    })),
  ];
  const rows = names.map((name) => {
    const own = results.filter((result) => result.name === name && result.shouldTrigger);
    const number = (test: (result: AgentResult) => boolean): string => String(own.filter(test).length);
    return [
      printable(name),
      String(own.length),
      number(({ passed }) => passed),
      number(({ passed, loaded, problem }) => !passed && loaded.length > 0 && problem === undefined),
      number(({ loaded, problem }) => loaded.length === 0 && problem === undefined),
      number(({ problem }) => problem !== undefined),
    ];
  });
  const passed = results.filter((result) => result.passed).length;
  const summary = `${agent} did what was expected with ${passed} of ${count(results.length, "prompt")} (${percent(passed, results.length)}).`;
  return `${[...renderTable(columns, rows, width, style.dim), "", summary].join("\n")}\n`;
}
