// Skills that each break a rule, so that the page of rules shows what `validate` says of them.
import { checkSkill } from "../../packages/check/src/rules/check-skill.ts";

const SENTENCE = "Reads, fills and merges PDF files. Use it for any task with a PDF.";

const skill = (more: string, { name = "pdf", description = SENTENCE, body = "# PDF\n" } = {}): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}`;

interface BrokenSkill {
  readonly text: string;
  readonly fileName?: string;
}

const BROKEN: readonly BrokenSkill[] = [
  { text: "# PDF\n" },
  { text: "Hello.\n---\nname: pdf\ndescription: Reads PDF files of every kind, and fills forms.\n---\n" },
  { text: "---js\nname: pdf\n---\n" },
  { text: "---\nname: [pdf\ndescription: {\n---\n" },
  { text: `---\ndescription: ${SENTENCE}\n---\n# PDF\n` },
  { text: "---\nname: pdf\n---\n# PDF\n" },
  { text: `---\nname: pdf\ndescription: ${SENTENCE}\n` },
  { text: `---\nname: pdf\ndescription: Reads: a PDF, and fills its forms for people.\n---\n# PDF\n` },
  { text: skill("", { name: "PDF files" }) },
  { text: skill("", { name: "p".repeat(70) }) },
  { text: skill("", { name: "-pdf" }) },
  { text: skill("", { name: "portable-documents" }) },
  { text: skill("", { description: "Reads PDF. ".repeat(100) }) },
  { text: skill("", { description: "PDF files." }) },
  { text: skill(`compatibility: "${"x".repeat(501)}"\n`) },
  { text: skill("license: [MIT]\n") },
  { text: skill("metadata: {version: 1}\n") },
  { text: skill("allowed-tools: [Read, Bash]\n") },
  { text: skill("allowed_tools: Read\n") },
  { text: skill("colour: red\n") },
  { text: skill("user-invocable: perhaps\n") },
  { text: skill("", { body: "" }) },
  { text: skill("", { body: `# PDF\n${"Read a page.\n".repeat(501)}` }) },
  { text: skill("", { body: "See [forms](references/forms.md).\n" }) },
  { text: skill("", { body: "See [forms](../forms.md).\n" }) },
  { text: skill("", { body: ["Key: AKIA", "QWERTYUIOPASDFGH\n"].join("") }) },
  { text: skill("", { body: "Read\u202Ethe page.\n" }) },
  { text: `\ufeff${skill("")}` },
  { text: skill("").replaceAll("\n", "\r\n") },
  { text: skill("license: MIT  \n") },
  { text: skill(""), fileName: "skill.md" },
  { text: skill(""), fileName: ".SKILL.md" },
];

/** What `validate` says of each: the first finding of each rule. */
export function checkBrokenSkills(): readonly {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
}[] {
  const found = BROKEN.flatMap(
    ({ text, fileName = "SKILL.md" }) =>
      checkSkill({ text, fileName, folder: "pdf", files: new Set(["SKILL.md"]) }).findings,
  );
  const rules = new Map(found.toReversed().map((finding) => [finding.rule, finding]));
  return Array.from(rules, ([rule, { severity, message }]) => ({ rule, severity, message })).toSorted(
    (a, b) => (a.rule < b.rule ? -1 : 1),
  );
}
