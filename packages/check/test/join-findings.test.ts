import { describe, expect, test } from "vitest";
import type { Diagnostic, Finding } from "#skills";
import { joinAudit, joinFindings } from "../src/validate/join-findings.ts";

const finding = (severity: Finding["severity"], risk?: Finding["risk"], line = 3): Finding => ({
  ...{ severity, rule: "hidden-characters", line, message: risk ?? "rule" },
  ...(risk === undefined ? {} : { risk }),
});
const diagnostic: Diagnostic = {
  ...{ severity: "warning", code: "hidden-characters", file: "/a", line: 3, message: "scan" },
};

describe("one line by one rule is one finding", () => {
  test.each([
    ["the rule alone", [finding("error")], [], ["error rule"]],
    ["the audit alone", [], [finding("advice", "medium")], ["advice medium"]],
    ["dangerous", [finding("advice")], [finding("error", "critical")], ["error critical"]],
    ["a broken rule stays an error", [finding("error")], [finding("advice", "medium")], ["error medium"]],
    ["the audit is milder", [finding("error")], [finding("advice", "low")], ["error rule"]],
    ["other lines", [finding("error")], [finding("error", "high", 4)], ["error rule", "error high"]],
  ] as const)("validate and audit: %s", (_what, own, audited, expected) => {
    expect(joinAudit(own, audited).map(({ severity, message }) => `${severity} ${message}`)).toEqual(
      expected,
    );
  });

  test.each([
    ["a rule says the same", finding("error"), ["scan"]],
    ["the audit is milder", finding("advice", "low"), ["scan"]],
    ["the audit is as bad", finding("advice", "medium"), ["medium"]],
    ["the audit is worse", finding("error", "critical"), ["critical"]],
    ["another line", finding("error", "high", 4), ["scan", "high"]],
  ] as const)("scan and checks: %s", (_what, found, expected) => {
    const { diagnostics, files } = joinFindings([diagnostic], [{ file: "/a", findings: [found] }]);
    const left = files.flatMap(({ findings }) => findings);
    expect([...diagnostics, ...left].map(({ message }) => message)).toEqual(expected);
  });
});
