import { randomUUID } from "node:crypto";
import { groupEnding, runProcess } from "#library";
import { describeError, runQueue } from "#util";
import { parseJson, Refusal } from "#util/pure";
import { readSarif } from "../audit/read-sarif.ts";
import type { SkillAudit } from "./audit-skills.ts";

const TIMEOUT_MS = 120_000;
const GRACE_MS = 2_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const AT_ONCE = 2;

/** Runs another scanner over each skill, and adds what it finds; `failures` are skills that it could not audit. No shell is involved, and the folder is the last argument. */
export async function withScanner(
  audits: readonly SkillAudit[],
  commandLine: string,
  signal: AbortSignal = new AbortController().signal,
) {
  const command = splitCommand(commandLine);
  const merged = [...audits];
  const failures: { readonly name: string; readonly reason: string }[] = [];
  await runQueue(audits.entries(), AT_ONCE, async ([at, audit]) => {
    const scanned = await scan(command, audit.dir, signal);
    if (typeof scanned === "string") failures.push({ name: audit.name, reason: scanned });
    else merged[at] = { ...audit, findings: [...audit.findings, ...scanned] };
  });
  return { audits: merged, failures };
}

async function scan(
  [program = "", ...args]: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<SkillAudit["findings"] | string> {
  const mark = randomUUID();
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  try {
    const end = await runProcess(
      {
        command: program,
        args: [...args, folder],
        cwd: process.cwd(),
        // Whatever it starts is found by the mark.
        environment: { ...environment, SKILLS_MCP_SCAN: mark },
        reports: false,
        passed: [],
        inherited: [],
        ending: (child) => groupEnding(child, { text: mark }),
      },
      {
        timeoutMs: TIMEOUT_MS,
        graceMs: GRACE_MS,
        cancelGraceMs: GRACE_MS,
        maxOutputBytes: MOST_OUTPUT,
      },
      signal,
    );
    const reports =
      end.why === "exit" && !end.stdout.cut ? readSarif(parseJson(end.stdout.text), folder) : undefined;
    return reports === undefined ? whyNot(end) : reports.flatMap(({ findings }) => findings);
  } catch (error) {
    return `'${program}' cannot be started: ${describeError(error)}`;
  }
}

/** Scanners end with another code than 0 when they find something, so the code alone says nothing. */
function whyNot({ why, exitCode, stdout, stderr }: Awaited<ReturnType<typeof runProcess>>): string {
  if (why === "timeout") return `the scanner did not end within ${TIMEOUT_MS / 1000} s`;
  if (why !== "exit") return "the scanner was stopped";
  if (stdout.cut) return `the scanner wrote more than ${MOST_OUTPUT / 1024 / 1024} MiB`;
  const [last = ""] = stderr.text.trim().split("\n").slice(-1);
  const said = last === "" ? "" : `: ${last}`;
  return `the scanner wrote no SARIF to standard output (exit code ${exitCode}${said})`;
}

/** The words of a command line; quotes keep words together, as in a shell, and nothing else is special. */
function splitCommand(line: string): readonly string[] {
  const words = Array.from(line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g), ([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );
  if (words.length > 0) return words;
  throw new Refusal("--exec needs a command, such as --exec 'skill-scanner scan --format sarif'.", {
    code: "bad-usage",
    flag: "--exec",
  });
}
