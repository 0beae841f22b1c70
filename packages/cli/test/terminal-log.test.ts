import { describe, expect, test } from "vitest";
import type { Log } from "#util";
import { COMMANDS } from "../src/command-table.ts";
import { parseFlags } from "../src/flags.ts";
import { createStyle } from "../src/render/text.ts";
import { LOG_FLAGS, logDiagnostics, terminalLog } from "../src/terminal-log.ts";

const TIME = "2026-11-16T17:31:05.123Z";

function logged(
  args: readonly string[],
  use: (log: ReturnType<typeof terminalLog>) => void,
  colours = false,
) {
  const lines: string[] = [];
  const terminal = { logLine: (line: string) => void lines.push(line), errorStyle: createStyle(colours) };
  use(terminalLog(terminal, parseFlags(args, LOG_FLAGS).flags, { now: () => new Date(TIME) }));
  return lines;
}

describe("a log line", () => {
  test("is its time, its level and its message", () => {
    expect(
      logged([], (log) => {
        log.info("ready: 1 skill");
        log.warn("slow disk");
        log.error("failed");
      }),
    ).toEqual([`${TIME} info  ready: 1 skill`, `${TIME} warn  slow disk`, `${TIME} error failed`]);
  });

  test("is one object with --log-format json", () => {
    const [line = ""] = logged(["--log-format", "json"], (log) => log.warn("a\n\u001B[2J\u009B\u202Eb"));
    expect(line).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(JSON.parse(line)).toEqual({ time: TIME, level: "warn", message: "a\n\u001B[2J\u009B\u202Eb" });
  });

  test("has no time on a terminal", () => {
    const lines: string[] = [];
    const terminal = { logLine: (line: string) => void lines.push(line), errorStyle: createStyle(false) };
    terminalLog(terminal, parseFlags([], LOG_FLAGS).flags, { withTime: false }).warn("slow disk");
    expect(lines).toEqual(["warn  slow disk"]);
  });

  test("stays on one line and is cut when it is too long", () => {
    const message = `a\n\u001B[2J${"x".repeat(100_000)}`;
    const [text = "", ...more] = logged([], (log) => log.info(message));
    expect(more).toEqual([]);
    expect(text).toMatch(/^\S+ info {2}a��\[2Jx+…$/);
    expect(text.length).toBeLessThan(9_000);
    const [json = ""] = logged(["--log-format=json"], (log) => log.info(message));
    expect(JSON.parse(json)).toMatchObject({ level: "info" });
  });

  test("has a coloured level on a terminal, and nothing else is coloured", () => {
    expect(logged([], (log) => log.warn("slow"), true)).toEqual([`${TIME} \u001B[33mwarn \u001B[39m slow`]);
    expect(logged(["--log-format=json"], (log) => log.warn("slow"), true)).toEqual([
      `{"time":"${TIME}","level":"warn","message":"slow"}`,
    ]);
  });
});

test.each<[string, (keyof Log)[]]>([
  ["debug", ["debug", "info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
])("--log-level %s logs %j", (level, expected) => {
  const lines = logged(["--log-level", level, "--log-format", "json"], (log) => {
    for (const each of ["debug", "info", "warn", "error"] as const) log[each]("x");
  });
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(expected);
});

test("diagnostics: a skipped file is logged as an error, any other problem as a warning", () => {
  const file = "/a/SKILL.md";
  expect(
    logged([], (log) =>
      logDiagnostics(
        [
          { severity: "error", code: "no-front-matter", file, line: 1, message: "There is no front matter." },
          { severity: "warning", code: "file-name-case", file, message: "Rename it." },
        ],
        log,
      ),
    ),
  ).toEqual([
    `${TIME} error skipped: /a/SKILL.md:1: There is no front matter.`,
    `${TIME} warn  /a/SKILL.md: Rename it.`,
  ]);
});

describe("diagnostics: of many,", () => {
  const problems = (number: number, severity: "error" | "warning") =>
    Array.from({ length: number }, (_, index) => ({
      severity,
      code: severity === "error" ? ("no-front-matter" as const) : ("file-name-case" as const),
      file: `/${severity}-${index}/SKILL.md`,
      message: "Wrong.",
    }));
  const shown = (args: readonly string[], options?: Parameters<typeof logDiagnostics>[2]) =>
    logged(args, (log) =>
      logDiagnostics([...problems(9, "warning"), ...problems(2, "error")], log, options),
    ).map((line) => line.slice(TIME.length + 1));

  test("nine are still named, skipped files first", () => {
    const lines = logged([], (log) =>
      logDiagnostics([...problems(8, "warning"), ...problems(1, "error")], log),
    );
    expect(lines).toHaveLength(9);
    expect(lines[0]).toContain("skipped: /error-0/SKILL.md: Wrong.");
  });

  test("none is named, and all are counted", () => {
    expect(shown([])).toEqual([
      "warn  2 files were skipped, 9 other problems found; to see why, run: skills-mcp doctor",
    ]);
  });

  test("on a terminal, one is counted, too", () => {
    const [problem] = problems(1, "error");
    const lines = logged([], (log) =>
      logDiagnostics(problem === undefined ? [] : [problem], log, { terminal: { width: 80 } }),
    );
    expect(lines).toEqual([`${TIME} warn  1 file was skipped; to see why, run: skills-mcp doctor`]);
  });

  test("--log-level debug has all, and so has output for programs", () => {
    expect(shown(["--log-level", "debug"])).toHaveLength(12);
    expect(shown([], { isWhole: true })).toHaveLength(11);
  });
});

test.each(Object.entries(COMMANDS))("%s takes the flags of the log", async (_, entry) => {
  expect((await entry.load()).command.flags).toMatchObject(LOG_FLAGS);
});
