import type { Finding } from "#skills";

/** What `skills-mcp new` writes for people to replace. A skill that still says it is not written yet. */
const WRITTEN = {
  description: "Use when someone asks for it, with the words and file types that they would use.",
  result: "State the result that counts, and how to tell that it is right.",
  look: "Look at what is there: name the files or commands to start with.",
  work: "Do the work: write the steps that are easy to get wrong, and leave out what every agent knows.",
  check: "Check the result: give the command or the fact that shows it.",
  example: "Show one request and the answer that you expect.",
  script: "Prints what it was asked to do. Replace it with the steps that must be exact.",
  reference: "What an agent needs only in some cases: tables, formats, rare errors. One topic per file keeps",
  prompt: "Write a request here that should use",
} as const;

/** The sentences of the template, the rule that finds them, and whether a text still has one of them. */
export const SKILL_TEMPLATE = {
  ...WRITTEN,
  rule: "template",
  isIn: (text: string): boolean => Object.values(WRITTEN).some((sentence) => text.includes(sentence)),
};

/** One finding for a file, at the first sentence that nobody has replaced. */
export function checkTemplate(text: string): readonly Finding[] {
  if (!SKILL_TEMPLATE.isIn(text)) return [];
  const line = text.split("\n").findIndex(SKILL_TEMPLATE.isIn) + 1;
  const message =
    "This is still the text of the template that `skills-mcp new` wrote. Replace it; `publish` refuses it.";
  return [{ severity: "advice", rule: SKILL_TEMPLATE.rule, line, message }];
}
