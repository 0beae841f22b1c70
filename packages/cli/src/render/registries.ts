import type { RegistryAnswer } from "#sources";
import type { AuditedResult } from "../commands/find.ts";
import { cutToColumns, fitLines } from "./layout.ts";
import { count, type Look, printable } from "./text.ts";

interface ShownRegistries {
  /** False: the person asked for what is here alone. */
  readonly isAsked: boolean;
  readonly look: Look;
}

const NONE =
  "Only what is here was searched, and no host was contacted. To find skills elsewhere too, name registries in ~/.skills-mcp/config.yaml, such as registries: [https://skills.sh/api/search].";

/** What `find` prints of the registries: source, licence and audits of each result, and the command that installs it. */
export function renderRegistries(
  answers: readonly (RegistryAnswer & { readonly results: readonly AuditedResult[] })[],
  { isAsked, look }: ShownRegistries,
): string {
  const { width, style } = look;
  if (answers.length === 0) return isAsked ? `\n${fitLines(style.dim(NONE), width)}\n` : "";
  return answers
    .map(({ registry, results, total, problem }) => {
      const title = style.bold(fitLines(`\nIn ${printable(registry)}`, width));
      if (problem !== undefined) return `${title}\n  ${style.red("not asked")}  ${printable(problem)}\n`;
      if (results.length === 0) return `${title}\n  Nothing fits.\n`;
      const more = total - results.length;
      const rest =
        more > 0 ? `\n${style.dim(`${count(more, "more result")}; use --limit to see more.`)}\n` : "";
      return `${title}\n\n${results.map((one) => renderResult(one, look)).join("\n\n")}\n${rest}`;
    })
    .join("");
}

function renderResult(result: AuditedResult, { width, style }: Look): string {
  const { name, description, source, skill, license, installs } = result;
  const facts = [
    source,
    license ?? licenseIn(result) ?? "licence not stated",
    ...(installs === undefined ? [] : [count(installs, "install")]),
  ].map(printable);
  const cut = (text: string): string => (width === undefined ? text : cutToColumns(text, width - 2));
  const words = skill === undefined ? ["add", source, "--list"] : ["add", source, skill];
  return [
    fitLines(`${style.bold(printable(name))}  ${style.dim(facts.join(" · "))}`, width),
    ...(description === "" ? [] : [`  ${cut(printable(description))}`]),
    ...auditLines(result).map((line) => `  ${cut(printable(line))}`),
    `  ${style.dim(printable(`skills-mcp ${words.map(quoted).join(" ")}`))}`,
  ].join("\n");
}

function licenseIn({ audit }: AuditedResult): string | undefined {
  if (audit === undefined || "problem" in audit) return undefined;
  const all = new Set(audit.skills.map(({ license }) => license));
  return all.size === 1 ? [...all][0] : undefined;
}

function auditLines({ audits, audit }: AuditedResult): readonly string[] {
  const theirs =
    audits === undefined
      ? "no audit at the registry"
      : `audits: ${audits.map(({ by, status, risk }) => `${by} ${status}${risk === undefined ? "" : ` (${risk})`}`).join(", ")}`;
  if (audit === undefined) return [theirs];
  if ("problem" in audit) return [theirs, `not audited: ${audit.problem}`];
  const findings = audit.skills.flatMap(({ name, findings: all }) =>
    all.map(({ severity, rule, message }) => `${severity}  ${name}: ${message} [${rule}]`),
  );
  const own =
    findings.length === 0 ? ["audited here: nothing found"] : ["audited here:", ...findings.slice(0, 5)];
  return [
    theirs,
    ...own,
    ...(findings.length > 5 ? [`and ${count(findings.length - 5, "more finding")}`] : []),
  ];
}

const quoted = (word: string): string =>
  /^[\w./:@#=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
