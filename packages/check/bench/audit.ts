// How many bad skills does the audit find, and how often is it wrong about public ones?
//   npm run bench -- audit                              the bad skills of the repository
//   npm run bench -- audit --public <folder>            also checkouts, as <folder>/<owner>+<name>; test/audit-corpus/public.tsv says which commits
//   npm run bench -- audit --show medium                every finding from that severity on; of bad skills, those that are milder

import { parseArgs } from "node:util";
import { ALL_RULES, type AuditFinding, auditContent } from "#check";
import { isAtLeast, SEVERITIES, type Severity, worstSeverity } from "#skills";
import { table } from "../../../bench/measure.ts";
import { BAD_SETS, type CorpusSkill, readBadSkills, readPublicList, readPublicSkills } from "./corpus.ts";
import { HOSTILE_INPUTS } from "./hostile-inputs.ts";

const { values: flags } = parseArgs({
  options: {
    public: { type: "string" },
    only: { type: "string" },
    set: { type: "string" },
    show: { type: "string" },
  },
});
const show = SEVERITIES.find((each) => each === flags.show);

interface Audited extends CorpusSkill {
  readonly findings: readonly AuditFinding[];
  readonly repo?: string;
}

/** The 95 % interval of a share by Wilson, in percent: the true share lies in it 19 times of 20. */
function interval(count: number, all: number): string {
  const z = 1.96;
  const p = count / all;
  const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half = (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  return `${(100 * Math.max(0, middle - half)).toFixed(1)}–${(100 * (middle + half)).toFixed(1)}`;
}

function share(count: number, all: number): string {
  return all === 0
    ? "none"
    : `${count} of ${all}, ${((100 * count) / all).toFixed(1)} % (${interval(count, all)})`;
}

function isAs(finding: Audited, least: Severity): boolean {
  const worst = worstSeverity(finding.findings);
  return worst !== undefined && isAtLeast(worst, least);
}

/** How many skills have a finding of a rule at `medium`, and at `high` or above. */
function byRule(skills: readonly Audited[]) {
  return new Map(
    ALL_RULES.map(({ id }) => {
      const worst = skills.map(({ findings }) => worstSeverity(findings.filter(({ rule }) => rule === id)));
      const atLeast = (least: Severity) =>
        worst.filter((each) => each !== undefined && isAtLeast(each, least)).length;
      return [id, { medium: atLeast("medium"), high: atLeast("high") }] as const;
    }),
  );
}

const audited = <S extends CorpusSkill>(skill: S) => ({
  ...skill,
  findings: auditContent(skill.content, { name: skill.name }),
});

let hostile = { ms: 0, name: "" };
const bad = new Map(
  BAD_SETS.filter((set) => flags.set === undefined || flags.set === set).map((set) => [
    set,
    readBadSkills(set).map(audited),
  ]),
);
for (const [set, skills] of bad) {
  console.log(
    `Bad skills, ${set}: at medium or above ${share(skills.filter((each) => isAs(each, "medium")).length, skills.length)}`,
  );
  console.log(
    `${"".padEnd(12 + set.length)}: at high or above   ${share(skills.filter((each) => isAs(each, "high")).length, skills.length)}`,
  );
  if (show === undefined) continue;
  for (const each of skills.filter((skill) => !isAs(skill, show)))
    console.log(
      `  ${worstSeverity(each.findings) ?? "nothing"}: ${each.name}: ${each.about} (${each.findings.map(({ rule }) => rule).join(", ")})`,
    );
}

for (const [name, makeText] of Object.entries(HOSTILE_INPUTS)) {
  const script = { bytes: Buffer.from(makeText()), isExecutable: false };
  const skillText = `---\nname: x\ndescription: Does x. Use it for x.\n---\n\nRead ${name}.\n`;
  const content = new Map([
    ["SKILL.md", { bytes: Buffer.from(skillText), isExecutable: false }],
    [name, script],
  ]);
  const before = process.cpuUsage();
  auditContent(content, { name: "x" });
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  if (ms > hostile.ms) hostile = { ms, name };
}
console.log(
  `Of ${Object.keys(HOSTILE_INPUTS).length} files made to be slow, ${hostile.name} took longest: ${hostile.ms.toFixed(0)} ms of processor time.`,
);

const open: Audited[] = [];
if (flags.public === undefined)
  console.log("Public skills are not measured: no folder of checkouts is named with --public.");
else {
  let slowest = { ms: 0, name: "" };
  const started = performance.now();
  for (const skill of readPublicSkills(flags.public)) {
    if (flags.only !== undefined && !new RegExp(flags.only).test(skill.repo)) continue;
    const before = performance.now();
    const result = audited(skill);
    const ms = performance.now() - before;
    if (ms > slowest.ms) slowest = { ms, name: `${skill.repo}/${skill.about}` };
    open.push({ ...result, content: new Map() });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  for (const repo of new Set(open.map((each) => each.repo))) {
    const skills = open.filter((each) => each.repo === repo);
    const high = skills.filter((each) => isAs(each, "high")).length;
    const medium = skills.filter((each) => isAs(each, "medium")).length - high;
    console.log(`  ${repo}: ${skills.length} skills, ${high} at high or above, ${medium} at medium`);
  }
  console.log(
    `Public skills: at high or above ${share(open.filter((each) => isAs(each, "high")).length, open.length)}`,
  );
  console.log(
    `             : at medium        ${share(open.filter((each) => isAs(each, "medium") && !isAs(each, "high")).length, open.length)}`,
  );
  console.log(
    `             : read and audited in ${seconds} s; the slowest took ${slowest.ms.toFixed(0)} ms (${slowest.name})`,
  );
  if (show !== undefined)
    for (const { repo, about, findings } of open)
      for (const { rule, severity, file, line, excerpt, message } of findings)
        if (isAtLeast(severity, show))
          console.log(
            `${severity} [${rule}] ${repo}/${about}/${file}:${line ?? ""} > ${excerpt ?? message}${/It comes from [^ ]+/.exec(message)?.[0] ?? ""}`,
          );
}

const sets = [...bad, ["public", open] as const].filter(([, skills]) => skills.length > 0);
const found = sets.map(([name, skills]) => ({ name, all: skills.length, rules: byRule(skills) }));
console.log("\nSkills with a finding of each rule, and the interval of their share in percent:");
console.log(
  table(
    ["rule", ...found.flatMap(({ name }) => [`${name}: medium+`, "high+"])],
    ALL_RULES.map(({ id }) => [
      id,
      ...found.flatMap(({ all, rules }) => {
        const { medium, high } = rules.get(id) ?? { medium: 0, high: 0 };
        return [medium, high].map((count) => `${count} (${interval(count, all)})`);
      }),
    ]),
  ),
);

if (open.length > 0) {
  const judged = new Map(readPublicList().map(({ repo, judged: said }) => [repo, said]));
  const opinions = open.flatMap(({ repo, about, findings }) =>
    [
      ...new Set(
        findings
          .filter(({ severity }) => isAtLeast(severity, "medium"))
          .map(({ rule, severity }) => `${severity}:${rule}`),
      ),
    ].map((key) => ({
      key,
      place: `${repo} ${about}`,
      said: judged.get(repo ?? "")?.get(`${about} ${key}`),
    })),
  );
  const count = (said: "right" | "wrong" | undefined, least: RegExp): number =>
    opinions.filter((each) => each.said === said && least.test(each.key)).length;
  const SERIOUS = /^(?:high|critical):/;
  console.log(
    `\nFindings by skill and rule, read by a person: at high or above ${count("right", SERIOUS)} right, ${count("wrong", SERIOUS)} wrong; at medium ${count("right", /^medium:/)} right, ${count("wrong", /^medium:/)} wrong.`,
  );
  for (const { key, place } of opinions.filter(({ said }) => said === undefined))
    console.log(`  not judged: ${place} ${key}`);
}
