import type { Severity } from "#skills";
import { CREDENTIAL_FILE, ENVIRONMENT_IN_SHELL, METADATA_SERVICE, PERSONAL_STORE } from "./patterns.ts";

/** A command that a host replaces by its output when it loads the skill. */
export interface CommandAtLoad {
  readonly command: string;
  /** 1-based. */
  readonly line: number;
}

const INLINE = /(?:^|[^\\\w`!])!`([^`\n]{1,500})`/g;

export function commandsAtLoad(text: string): readonly CommandAtLoad[] {
  if (!text.includes("!`") && !text.includes("```!")) return [];
  const found: CommandAtLoad[] = [];
  let block: { readonly line: number; readonly lines: string[] } | undefined;
  let isOtherFence = false;
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (block !== undefined) {
      if (!/^\s{0,9}```\s{0,9}$/.test(line)) block.lines.push(line);
      else {
        found.push({ command: block.lines.join("; "), line: block.line });
        block = undefined;
      }
    } else if (/^\s{0,9}```!/.test(line) && !isOtherFence) block = { line: at + 1, lines: [] };
    else if (/^\s{0,9}(?:```|~~~)/.test(line)) isOtherFence = !isOtherFence;
    else if (!isOtherFence)
      for (const [, command = ""] of line.matchAll(INLINE)) found.push({ command, line: at + 1 });
  }
  return found.slice(0, 50);
}

const REACHES_OUT =
  /\b(?:curl|wget|nc|ncat|ssh|scp|ftp|telnet|http|https|iwr|irm|npx|npm (?:i|install|exec)|pip3? install|uvx|docker (?:run|pull))\b|https?:\/\//i;
const RUNS_CODE =
  /(?:^|[;&|]\s{0,5})(?:sudo|eval|exec|source|\.|sh|bash|zsh|python[\d.]{0,4}|node|perl|ruby|osascript|powershell)\s/i;
const CHANGES =
  /(?:^|[;&|]\s{0,5})(?:rm|mv|cp|chmod|chown|dd|tee|kill|git (?:push|reset|checkout|clean|commit)|npm (?:i|install|run)|make|pip3? install)\b|[^<>=]>\s{0,3}[\w./~$]/i;
/** Looks at the project and changes nothing. */
const LOOKS =
  /^(?:git (?:status|diff|log|branch|show|rev-parse|remote|describe|config --get|stash list|worktree list|ls-files|blame|tag|shortlog|merge-base|symbolic-ref)|ls|pwd|date|whoami|uname|echo|cat|head|tail|wc|find|grep|rg|tree|which|node --version|npm --version|gh (?:pr|issue|repo|run) (?:view|list|status|diff|checks)|python3? --version|jq|basename|dirname|test|\[|command -v|sort|uniq|cut|awk|sed -n|hostname|stat|file|du|df)\b/i;

export function rateCommand(command: string): Severity {
  if (
    CREDENTIAL_FILE.test(command) ||
    PERSONAL_STORE.test(command) ||
    METADATA_SERVICE.test(command) ||
    ENVIRONMENT_IN_SHELL.test(command)
  )
    return "high";
  if (REACHES_OUT.test(command)) return "high";
  if (RUNS_CODE.test(command) || CHANGES.test(command.replace(/2>\s{0,3}(?:\/dev\/null|&1)/g, "")))
    return "medium";
  return LOOKS.test(command.trim()) ? "info" : "low";
}
