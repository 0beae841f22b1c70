import type { Severity } from "#skills";

interface RatedTools {
  readonly severity: Severity;
  readonly found: string;
}

/** Commands that can do anything, or that reach far. */
const ANY_COMMAND =
  /^(?:bash|shell|terminal|run_command|execute_command|powershell)(?:\(\s{0,3}\*?(?::\*)?\s{0,3}\))?$/i;
const POWERFUL =
  /^(?:bash|shell|powershell)\(\s{0,3}(?:sudo|su|rm|curl|wget|eval|exec|sh|bash|zsh|nc|ncat|netcat|ssh|scp|dd|chmod|chown|python[\d.]{0,4}|node|perl|ruby|npx|osascript|crontab|launchctl|systemctl|env|printenv|security)(?![\w-])(?:\s{0,3}:?\s{0,3}\*|\s{0,3}\)$)/i;
const ROOT = /^(?:bash|shell)\(\s{0,3}(?:sudo|su|dd|chown|crontab|security|nc|ncat)(?![\w-])/i;

/** What `allowed-tools` allows too much of. */
export function rateTools(value: unknown): readonly RatedTools[] {
  return entriesOf(value).flatMap((entry): readonly RatedTools[] => {
    if (/^["']?\*["']?$/.test(entry) || /^(?:all|any)$/i.test(entry))
      return [{ severity: "medium", found: entry }];
    if (/^[\w]{1,20}\(\s{0,3}\*(?::\*)?\s{0,3}\)$/.test(entry)) return [{ severity: "medium", found: entry }];
    if (ROOT.test(entry)) return [{ severity: "medium", found: entry }];
    if (ANY_COMMAND.test(entry) || POWERFUL.test(entry)) return [{ severity: "low", found: entry }];
    return [];
  });
}

/** `Read, Bash(git diff:*)`, the same with spaces alone, or a list. */
function entriesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  if (typeof value !== "string") return [];
  return Array.from(
    value.slice(0, 10_000).matchAll(/[\w*.@/:-]{1,100}(?:\([^()]{0,200}\))?/g),
    ([entry]) => entry,
  );
}
