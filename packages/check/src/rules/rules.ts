import type { Finding, ParsedSkill } from "#skills";
import { invocationFieldOf, plainName } from "#skills";
import { defined } from "#util/pure";
import { isKnownField, meantField } from "./known-fields.ts";

/** A finding about the front matter or the whole; its line is not known yet. */
export interface RuleFinding extends Omit<Finding, "line"> {
  /** The front matter field it is about. */
  readonly field?: string;
}

type Rule = (skill: ParsedSkill, folder: string, body: string) => RuleFinding | undefined;

/** Checks a skill against every rule. `folder` is the name of its folder, `body` the text after the front matter. */
export function checkRules(skill: ParsedSkill, folder: string, body: string): readonly RuleFinding[] {
  const found = RULES.map((rule) => rule(skill, folder, body)).filter((finding) => finding !== undefined);
  return [...found, ...misspelledFields(skill)];
}

function misspelledFields({ fields }: ParsedSkill): readonly RuleFinding[] {
  return Object.keys(fields).flatMap((field) => {
    const meant = meantField(field);
    if (meant === undefined) return [];
    const message =
      invocationFieldOf(field) === undefined
        ? `No agent knows the field '${field}'. Did you mean '${meant}'?`
        : `'${field}' is read as '${meant}', but other agents know only that spelling. Rename it.`;
    return [advice("field-spelling", message, field)];
  });
}

const error = (rule: string, field: string, message: string): RuleFinding => ({
  severity: "error",
  rule,
  field,
  message,
});
const advice = (rule: string, message: string, field?: string): RuleFinding => {
  return { severity: "advice", rule, message, ...defined({ field }) };
};

const RULES: readonly Rule[] = [
  function nameCharacters({ name }) {
    if (/^[a-z0-9-]+$/.test(name)) return undefined;
    return error(
      "name-characters",
      "name",
      `The name '${name}' may contain only a-z, 0-9 and '-'. ${suggestedName(name)}`,
    );
  },
  function nameLength({ name }) {
    if (name.length <= 64) return undefined;
    return error(
      "name-length",
      "name",
      `The name is ${name.length} characters long; the limit is 64. Shorten it.`,
    );
  },
  function nameHyphens({ name }) {
    if (!name.startsWith("-") && !name.endsWith("-") && !name.includes("--")) return undefined;
    return error(
      "name-hyphens",
      "name",
      `The name '${name}' must not start or end with '-' or contain '--'. ${suggestedName(name)}`,
    );
  },
  function nameIsFolder({ name }, folder) {
    if (name === folder) return undefined;
    return error(
      "name-is-folder",
      "name",
      `The name '${name}' differs from its folder '${folder}'. Rename one of them.`,
    );
  },
  function descriptionLength({ description }) {
    const { length } = Array.from(description);
    if (length <= 1024) return undefined;
    return error(
      "description-length",
      "description",
      `The description is ${length} characters long; the limit is 1,024. Move details into the body.`,
    );
  },
  function compatibilityLength({ fields }) {
    const value = fields["compatibility"];
    if (value === undefined) return undefined;
    if (typeof value !== "string")
      return error("compatibility", "compatibility", "compatibility must be a string.");
    const { length } = Array.from(value);
    if (length > 0 && length <= 500) return undefined;
    return error(
      "compatibility",
      "compatibility",
      `compatibility is ${length} characters long; it must be 1 to 500.`,
    );
  },
  function licenseIsText({ fields }) {
    const value = fields["license"];
    return value === undefined || typeof value === "string"
      ? undefined
      : error(
          "license",
          "license",
          "license must be a string: the name of a license, or of the file that contains it.",
        );
  },
  function metadataIsTextMap({ fields }) {
    const value = fields["metadata"];
    if (value === undefined) return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return error("metadata", "metadata", "metadata must be a map of strings.");
    }
    // Installers read `internal: true`, and not the text "true".
    const odd = Object.entries(value).find(
      ([key, inner]) => typeof inner !== "string" && !(key === "internal" && typeof inner === "boolean"),
    );
    if (odd === undefined) return undefined;
    return error(
      "metadata",
      "metadata",
      `metadata values must be strings; '${odd[0]}' is not. Put its value in quotes.`,
    );
  },
  function allowedToolsIsText({ fields }) {
    const value = fields["allowed-tools"];
    return value === undefined || typeof value === "string"
      ? undefined
      : error(
          "allowed-tools",
          "allowed-tools",
          "allowed-tools must be one string of tools separated by spaces, not a list.",
        );
  },
  function unknownFields({ fields }) {
    const unknown = Object.keys(fields).filter(
      (field) => !isKnownField(field) && meantField(field) === undefined,
    );
    if (unknown.length === 0) return undefined;
    return advice(
      "unknown-fields",
      `Neither the specification nor a known agent defines ${unknown.map((field) => `'${field}'`).join(", ")}; agents may ignore it. Put extra data under metadata.`,
      unknown[0],
    );
  },
  function descriptionSaysWhen({ description }) {
    if (description.length >= 40) return undefined;
    return advice(
      "description-says-when",
      "The description is very short. Say what the skill does and when to use it: agents choose skills by their descriptions.",
      "description",
    );
  },
  function bodyHasText(_skill, _folder, body) {
    if (body.trim() !== "") return undefined;
    return advice("empty-body", "The body is empty, so an agent that loads the skill learns nothing more.");
  },
  function bodyLength(_skill, _folder, body) {
    const lines = body.trimEnd().split("\n").length;
    if (lines <= 500) return undefined;
    return advice(
      "body-length",
      `The body is ${lines} lines long; keep it under 500 and move details into separate files.`,
    );
  },
];

function suggestedName(name: string): string {
  const better = plainName(name.replace(/\\u\{[0-9A-F]+\}/g, ""));
  return better === "" ? "Choose another name." : `Try '${better}'.`;
}
