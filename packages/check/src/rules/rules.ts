import { type Finding, HOST_FIELDS, invocationFieldOf, type ParsedSkill, plainName } from "#skills";
import { defined, isRecord } from "#util/pure";
import { isKnownField, meantField, NOT_FIXED } from "./known-fields.ts";

/** A finding about the front matter or the whole; its line is not known yet. */
export interface RuleFinding extends Omit<Finding, "line"> {
  /** The front matter field it is about. */
  readonly field?: string;
}

/** Checks a skill against every rule. `folder` is the name of its folder, `body` the text after the front matter. */
export function checkRules(skill: ParsedSkill, folder: string, body: string): readonly RuleFinding[] {
  return [
    ...nameRules(skill.name, folder),
    ...fieldRules(skill),
    ...adviceFor(skill, body),
    ...misspelledFields(skill),
  ];
}

function misspelledFields({ fields }: ParsedSkill): readonly RuleFinding[] {
  return Object.keys(fields).flatMap((field) => {
    const meant = meantField(field);
    if (meant === undefined) return [];
    const isLeft = HOST_FIELDS.includes(meant);
    const message =
      invocationFieldOf(field) === undefined
        ? `No agent knows the field '${field}'. Did you mean '${meant}'?${isLeft ? ` ${NOT_FIXED}` : ""}`
        : `'${field}' is read as '${meant}', but other agents know only that spelling. Rename it.`;
    return [advice("field-spelling", message, field)];
  });
}

const error = (field: string, message: string, rule = field): RuleFinding => {
  return { severity: "error", rule, field, message };
};
const advice = (rule: string, message: string, field?: string): RuleFinding => {
  return { severity: "advice", rule, message, ...defined({ field }) };
};

function* nameRules(name: string, folder: string): Generator<RuleFinding, void> {
  const wrong = (rule: string, message: string): RuleFinding => error("name", message, rule);
  if (!/^[a-z0-9-]+$/.test(name)) {
    const message = `The name '${name}' may contain only a-z, 0-9 and '-'. ${suggestedName(name)}`;
    yield wrong("name-characters", message);
  }
  if (name.length > 64)
    yield wrong("name-length", `The name is ${name.length} characters long; the limit is 64. Shorten it.`);
  if (/^-|-$|--/.test(name)) {
    const message = `The name '${name}' must not start or end with '-' or contain '--'. ${suggestedName(name)}`;
    yield wrong("name-hyphens", message);
  }
  if (name !== folder) {
    const message = `The name '${name}' differs from its folder '${folder}'. Rename one of them.`;
    yield wrong("name-is-folder", message);
  }
}

function* fieldRules({ description, fields }: ParsedSkill): Generator<RuleFinding, void> {
  const { length } = Array.from(description);
  if (length > 1024) {
    const message = `The description is ${length} characters long; the limit is 1,024. Move details into the body.`;
    yield error("description", message, "description-length");
  }
  const { compatibility, license, metadata, "allowed-tools": allowedTools } = fields;
  if (compatibility !== undefined && typeof compatibility !== "string")
    yield error("compatibility", "compatibility must be a string.");
  if (typeof compatibility === "string") {
    const long = Array.from(compatibility).length;
    if (long === 0 || long > 500)
      yield error("compatibility", `compatibility is ${long} characters long; it must be 1 to 500.`);
  }
  if (license !== undefined && typeof license !== "string") {
    const message = "license must be a string: the name of a license, or of the file that contains it.";
    yield error("license", message);
  }
  if (metadata !== undefined) yield* metadataRules(metadata);
  if (allowedTools !== undefined && typeof allowedTools !== "string") {
    const message = "allowed-tools must be one string of tools separated by spaces, not a list.";
    yield error("allowed-tools", message);
  }
}

function* metadataRules(value: unknown): Generator<RuleFinding, void> {
  if (!isRecord(value)) {
    yield error("metadata", "metadata must be a map of strings.");
    return;
  }
  // Installers read `internal: true`, and not the text "true".
  const odd = Object.entries(value).find(
    ([key, inner]) => typeof inner !== "string" && !(key === "internal" && typeof inner === "boolean"),
  );
  if (odd !== undefined)
    yield error("metadata", `metadata values must be strings; '${odd[0]}' is not. Put its value in quotes.`);
}

function* adviceFor({ description, fields }: ParsedSkill, body: string): Generator<RuleFinding, void> {
  const unknown = Object.keys(fields).filter(
    (field) => !isKnownField(field) && meantField(field) === undefined,
  );
  if (unknown.length > 0) {
    const names = unknown.map((field) => `'${field}'`).join(", ");
    const message = `Neither the specification nor a known agent defines ${names}; agents may ignore it. Put extra data under metadata.`;
    yield advice("unknown-fields", message, unknown[0]);
  }
  if (description.length < 40) {
    const message =
      "The description is very short. Say what the skill does and when to use it: agents choose skills by their descriptions.";
    yield advice("description-says-when", message, "description");
  }
  if (body.trim() === "")
    yield advice("empty-body", "The body is empty, so an agent that loads the skill learns nothing more.");
  const lines = body.trimEnd().split("\n").length;
  if (lines > 500) {
    const message = `The body is ${lines} lines long; keep it under 500 and move details into separate files.`;
    yield advice("body-length", message);
  }
}

function suggestedName(name: string): string {
  const better = plainName(name.replace(/\\u\{[0-9A-F]+\}/g, ""));
  return better === "" ? "Choose another name." : `Try '${better}'.`;
}
