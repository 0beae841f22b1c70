import type { ProcessEnd } from "../process/run-process.ts";
import type { SandboxStatus, ScriptOutcome } from "./script-run.ts";

/** The exit code of a process that was killed, whatever it made of the signals. */
const KILLED = 137;

export function scriptOutcome(
  end: ProcessEnd,
  sandbox: SandboxStatus["kind"],
  floodBytes: number,
): ScriptOutcome {
  const killed = end.why !== "exit";
  const said =
    end.why === "timeout"
      ? "[skills-mcp] Script killed: timeout exceeded."
      : `[skills-mcp] Script killed: it wrote more than ${floodBytes} bytes to one output.`;
  return {
    success: !killed && end.exitCode === 0,
    exitCode: killed ? KILLED : end.exitCode,
    stdout: end.stdout.text,
    stderr: killed ? withLastLine(end.stderr.text, said) : end.stderr.text,
    durationMs: end.durationMs,
    sandbox,
    timedOut: end.why === "timeout",
    flooded: end.why === "flood",
    stdoutCut: end.stdout.cut,
    stderrCut: end.stderr.cut,
  };
}

const withLastLine = (text: string, line: string): string =>
  text === "" || text.endsWith("\n") ? `${text}${line}` : `${text}\n${line}`;
