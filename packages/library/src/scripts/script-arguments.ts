import { Refusal } from "#util/pure";

/** Linux does not start a process with a variable over 128 KiB; a quarter of that works everywhere. */
const LONGEST_VALUE = 32 * 1024;
const LONGEST_NAME = 128;

/**
 * The variables that carry a script's arguments: `client-id` becomes `SKILL_ARG_CLIENT_ID`. A name may begin with a
 * digit, because the prefix makes the whole a proper variable name (`$SKILL_ARG_2ND`) in every shell.
 */
export function argumentVariables(
  label: string,
  args: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(args)) {
    const variable = variableName(label, name);
    if (variables.has(variable)) {
      const other = Object.keys(args).find((earlier) => variableName(label, earlier) === variable) ?? "";
      throw refuse(
        `${label}: the arguments ${quote(other)} and ${quote(name)} would both become ${variable}. Pass only one of them.`,
      );
    }
    checkValue(label, name, value);
    variables.set(variable, value);
  }
  return variables;
}

function variableName(label: string, name: string): string {
  if (name === "" || name.length > LONGEST_NAME) {
    throw refuse(
      `${label}: the argument name ${quote(name)} has ${name.length} characters; the limit is 1 to ${LONGEST_NAME}.`,
    );
  }
  return `SKILL_ARG_${name.toUpperCase().replace(/[^A-Z0-9_]/gu, "_")}`;
}

function checkValue(label: string, name: string, value: string): void {
  if (typeof value !== "string") {
    throw refuse(`${label}: the argument ${quote(name)} is not a string. Pass arguments as strings.`);
  }
  if (value.includes("\0")) {
    throw refuse(
      `${label}: the argument ${quote(name)} contains a NUL character, which a variable cannot contain. Remove it.`,
    );
  }
  const bytes = Buffer.byteLength(value);
  if (bytes > LONGEST_VALUE) {
    throw refuse(
      `${label}: the argument ${quote(name)} has ${bytes} bytes; the limit is ${LONGEST_VALUE}. ` +
        "Write longer data to a file and pass its path.",
    );
  }
}

const quote = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

const refuse = (message: string): Refusal =>
  new Refusal(message, { code: "library", reason: "bad-argument" });
