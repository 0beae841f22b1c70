import { existsSync } from "node:fs";
import path from "node:path";
import { ALL_RULES, activeFindings, auditPaths, type SkillAudit, withScanner } from "#check";
import { isAtLeast, SEVERITIES, type Severity, worstSeverity } from "#skills";
import { homeFolder } from "#util";
import { suggestNames } from "#util/pure";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { defaultPaths } from "../default-paths.ts";
import { badUsage, type FlagValues, flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { auditSarif, renderAuditGithub } from "../render/audit/formats.ts";
import { renderAudit, renderRule, type ShownAudit } from "../render/audit/report.ts";
import { createStyle, printable } from "../render/text.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

const FLAGS = {
  all: flag.switch("every skill that is served, instead of this project's"),
  format: flag.choice(["text", "json", "sarif", "github"], "how to print the findings (default text)"),
  sarif: flag.switch("same as --format sarif"),
  severity: flag.choice(
    SEVERITIES,
    "show findings of this severity and above (default low, with --all medium)",
  ),
  "all-severities": flag.switch("show every finding; same as --severity info"),
  "fail-on": flag.choice(
    [...SEVERITIES, "never"],
    "exit 1 on findings of this severity and above (default high)",
  ),
  "no-ignore": flag.switch("report findings that comments or audit.ignore suppress, too"),
  exec: flag.text("<command>", "run another scanner over each skill too, and merge its SARIF"),
  explain: flag.text("<rule>", "say what a rule finds, why it matters and what to look at"),
  ...JSON_FLAG,
  ...VIEW_FLAGS,
};

type AuditFlags = FlagValues<typeof FLAGS>;

/** `skills-mcp audit`: exit 1 when a finding is as bad as `--fail-on` says, or when a scanner failed. */
export const command = defineCommand({
  name: "audit",
  usage: "[<path|name>…]",
  summary: "check skills for dangerous instructions before an agent follows them",
  order: 180,
  bundle: "commands",
  examples: ["audit", "audit --all"],
  flags: FLAGS,
  takes: "any",
  async run({ given, positionals, terminal, log }) {
    const format = formatOf(given);
    if (given.explain !== undefined)
      return explain(given.explain, { positionals, isJson: format === "json" }, terminal);
    if (positionals.includes(""))
      throw badUsage(
        "<path>",
        "audit needs a path or a name that is not empty: skills-mcp audit <path|name>….",
      );
    if (given["all-severities"] && given.severity !== undefined)
      throw badUsage(
        "--severity",
        "--severity and --all-severities contradict each other: pass one of them.",
      );
    if (given.all && positionals.length > 0)
      throw badUsage("--all", "--all means every skill: leave out the paths and names.");
    const progress = createProgress(terminal);
    const audited = await audit(positionals, given, progress.step, log);
    const { audits, failures } =
      given.exec === undefined ? { audits: audited, failures: [] } : await withScanner(audited, given.exec);

    const shown = audits.map((each) => shownOf(each, given["no-ignore"]));
    const worst = worstSeverity(shown.flatMap(({ findings }) => findings));
    const failOn = given["fail-on"] ?? "high";
    const failed = worst !== undefined && failOn !== "never" && isAtLeast(worst, failOn);
    print({ shown, failures, failed, failOn, format, given }, terminal);
    for (const { name, reason } of failures)
      terminal.logLine(`skills-mcp: the scanner did not audit '${printable(name)}': ${printable(reason)}.`);
    return failed || failures.length > 0 ? 1 : 0;
  },
});

function explain(
  id: string,
  { positionals, isJson }: { readonly positionals: readonly string[]; readonly isJson: boolean },
  terminal: Terminal,
): number {
  const [extra] = positionals;
  if (extra !== undefined)
    throw badUsage("--explain", `--explain takes one rule and no paths: leave out '${extra}'.`);
  const rule = ALL_RULES.find((each) => each.id === id);
  if (rule === undefined) {
    const names = ALL_RULES.map((each) => each.id);
    const meant = suggestNames(id, names);
    const hint =
      meant.length === 0 ? `the rules are ${names.join(", ")}` : `did you mean ${meant.join(" or ")}?`;
    throw badUsage("--explain", `There is no audit rule '${id}': ${hint}`);
  }
  if (isJson)
    printJson(terminal, {
      id,
      category: rule.category,
      severity: rule.severity,
      title: rule.title,
      why: rule.why,
      fix: rule.fix,
    });
  else terminal.print(renderRule(rule, terminal.style));
  return 0;
}

async function audit(
  positionals: readonly string[],
  given: AuditFlags,
  onDone: (done: number, all: number) => void,
  log: Parameters<typeof withSkillView>[1],
): Promise<readonly SkillAudit[]> {
  const cwd = process.cwd();
  if (given.all) return withSkillView(given, log, (services) => services.checks.audit([], onDone));
  const wanted = positionals.length === 0 ? await projectPaths(cwd) : positionals;
  const isPath = (text: string): boolean =>
    /[/\\]/.test(text) || text === "." || text === ".." || existsSync(path.resolve(cwd, text));
  const paths = wanted.filter(isPath).map((text) => path.resolve(cwd, text));
  const names = wanted.filter((text) => !isPath(text));
  return [
    ...(await auditPaths(paths, { home: homeFolder(), onDone })),
    ...(names.length === 0
      ? []
      : await withSkillView(given, log, (services) => services.checks.audit(names))),
  ];
}

async function projectPaths(cwd: string): Promise<readonly string[]> {
  const paths = await defaultPaths(cwd, homeFolder());
  if (paths.length > 0) return paths;
  throw badUsage(
    "<path>",
    "audit found no skills in this project. Name a skill or a path: skills-mcp audit <path|name>…, or pass --all for every skill that is served.",
  );
}

type Format = "text" | "json" | "sarif" | "github";

function formatOf({ json, sarif, format }: AuditFlags): Format {
  const wanted = [
    ...(json ? ["json"] : []),
    ...(sarif ? ["sarif"] : []),
    ...(format === undefined ? [] : [format]),
  ];
  if (new Set(wanted).size > 1)
    throw badUsage(
      "--format",
      `${wanted.map((each) => `'${each}'`).join(" and ")} contradict each other: choose one format.`,
    );
  return (wanted[0] as Format | undefined) ?? "text";
}

function shownOf(audit: SkillAudit, countsAll: boolean): ShownAudit {
  if (countsAll) return { ...audit, suppressed: [] };
  const findings = activeFindings(audit.findings, { trustComments: true });
  return { ...audit, findings, suppressed: audit.findings.filter((finding) => !findings.includes(finding)) };
}

interface AuditOutcome {
  readonly shown: readonly ShownAudit[];
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
  readonly failed: boolean;
  readonly failOn: Severity | "never";
  readonly format: Format;
  readonly given: AuditFlags;
}

function print({ shown, failures, failed, failOn, format, given }: AuditOutcome, terminal: Terminal): void {
  const view = { cwd: process.cwd(), home: homeFolder(), least: leastOf(given, format) };
  if (format === "sarif") printJson(terminal, auditSarif(shown, view.cwd));
  else if (format === "github") terminal.print(renderAuditGithub(shown, view, createStyle(false)));
  else if (format === "text") terminal.print(renderAudit(shown, view, terminal));
  else {
    const skills = shown.map(({ name, dir, findings, suppressed }) => ({
      name,
      dir,
      worst: worstSeverity(findings) ?? null,
      findings: findings.filter(({ severity }) => isAtLeast(severity, view.least)),
      suppressed,
    }));
    printJson(terminal, {
      failed,
      failOn,
      skills,
      ...(given.exec === undefined ? {} : { scannerFailures: failures }),
    });
  }
}

/** The mildest severity that is shown: `low`, but `medium` for a person who audits all skills, where mild findings hide the others. */
function leastOf({ severity, all, "all-severities": everything }: AuditFlags, format: Format): Severity {
  return severity ?? (everything ? "info" : all && format === "text" ? "medium" : "low");
}

/** Shows progress on standard error, once the audit has taken a second. */
function createProgress({ logLine, errorStyle, width }: Terminal) {
  const started = performance.now();
  let next = started + 1_000;
  return {
    step(done: number, all: number): void {
      // Progress is only for a terminal.
      if (width === undefined || done === all || performance.now() < next) return;
      next = performance.now() + 1_000;
      logLine(errorStyle.dim(`audited ${done} of ${all} skills`));
    },
  };
}
