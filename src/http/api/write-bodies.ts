import { boolean, optional, strictObject, string } from "zod";
import { Refusal } from "../../skill/refusal.ts";

const LONGEST_COMMENT = 2_000;

const SKILL = strictObject({ name: string().min(1) });
const FEEDBACK = strictObject({
  skill: string().min(1),
  useful: boolean(),
  comment: optional(string().max(LONGEST_COMMENT)),
});

/** `{"name": "pdf"}` */
export function readSkillName(body: unknown): string {
  const read = SKILL.safeParse(body);
  if (read.success) return read.data.name;
  throw refuse('{"name": "pdf"}');
}

/** `{"skill": "pdf", "useful": true, "comment": "…"}` */
export function readFeedback(body: unknown): {
  readonly skillPath: string;
  readonly useful: boolean;
  readonly comment: string | undefined;
} {
  const read = FEEDBACK.safeParse(body);
  if (!read.success) throw refuse('{"skill": "pdf", "useful": true, "comment": "up to 2000 characters"}');
  const { skill, useful, comment } = read.data;
  return { skillPath: skill, useful, comment };
}

function refuse(example: string): Refusal {
  return new Refusal(`The body must be JSON such as ${example}.`, { code: "bad-usage" });
}
