import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { FREE_TEXT, givenArguments, type promptArguments, substituteArguments } from "#skills";
import { type ShownSkill, skillAnswer } from "../answers/skill-header.ts";

type Arguments = ReturnType<typeof promptArguments>;
type Values = Readonly<Record<string, string>>;

/** What Qwen Code calls the text after a slash command whose prompt declares no argument. */
const UNDECLARED_TEXT = "input";

/** The values that a client sends, with such a text as the task. */
export function namedValues(wanted: Arguments, sent: Values): Values {
  const { [UNDECLARED_TEXT]: text, ...others } = sent;
  if (text === undefined || wanted.some(({ name }) => name === UNDECLARED_TEXT)) return sent;
  return { [FREE_TEXT]: text, ...others };
}

/** Refuses what a prompt does not take. Every prompt takes a task, declared or not: some clients always send one. */
export function checkValues(wanted: Arguments, values: Values): void {
  const names = [...new Set([...wanted.map(({ name }) => name), FREE_TEXT])];
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown argument '${unknown}': this prompt takes ${names.map((name) => `'${name}'`).join(", ")}.`,
  );
}

/** The skill's text with the values in their places, or after it where the text has no place for them. */
export function skillPromptText(loaded: ShownSkill, wanted: Arguments, values: Values): string {
  const { text, bodyStart, entry } = loaded;
  const given = givenArguments(wanted, values);
  // Without a declared argument, the client keeps what was typed and shows it to the model beside this text.
  if (wanted.length === 0 && given.whole === "") return skillAnswer(loaded);
  const declared = entry.skill.invocation?.arguments?.map(({ name }) => name) ?? [];
  const body = substituteArguments(text.slice(bodyStart), given, declared);
  const answer = skillAnswer({ ...loaded, text: text.slice(0, bodyStart) + body.text });
  return body.used ? answer : withValues(answer, isFree(wanted, values) ? "Task" : "Arguments", given.whole);
}

/** Prompt text of a library skill: its text has no placeholders, so the task follows it. */
export function plainPromptText(text: string, values: Values): string {
  return withValues(text, "Task", (values[FREE_TEXT] ?? "").trim());
}

function isFree(wanted: Arguments, values: Values): boolean {
  return values[FREE_TEXT] !== undefined || wanted.every(({ name }) => name === FREE_TEXT);
}

function withValues(text: string, label: string, value: string): string {
  return value === "" ? text : `${text.trimEnd()}\n\n${label}: ${value}`;
}
