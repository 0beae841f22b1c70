import type { RawField } from "./key-lines.ts";
import { indentOf } from "./lines.ts";
import type { YamlComplaint } from "./read-yaml.ts";

/** What an author should change, as a sentence, and the 0-based line of the block it is about. */
export interface Explanation {
  readonly sentence: string;
  readonly line: number;
}

/**
 * Explains why a block is not valid YAML and what to do. `broken` is the first field that is not valid YAML by
 * itself; without one the error is between fields, and only the parser's reason is known.
 */
export function explainRecovery(
  whole: YamlComplaint,
  broken: RawField | undefined,
  alone: YamlComplaint | undefined,
): Explanation {
  if (broken !== undefined) return explainField(broken, alone ?? whole);
  const line = whole.line ?? 0;
  if (whole.reason === "duplicated mapping key") {
    return { line, sentence: "a field is defined twice; keep one of them." };
  }
  if (whole.reason.includes("maxAliases")) {
    return { line, sentence: "aliases (`*name`) are not supported; write out the value." };
  }
  return {
    line,
    sentence: `invalid YAML (${whole.reason}); write each field as \`key: value\` at the start of a line.`,
  };
}

function explainField(field: RawField, complaint: YamlComplaint): Explanation {
  const label = field.key === "name" || field.key === "description" ? `the ${field.key}` : `\`${field.key}\``;
  const at = (offset: number, sentence: string): Explanation => ({ line: field.line + offset, sentence });
  const lines = [field.first, ...field.rest];

  if (!field.proper) return at(0, `write \`${field.key}: \`, with a plain colon and a space after it.`);
  const control = lines.findIndex((line) => CONTROL.test(line));
  if (control !== -1) return at(control, `${label} contains a control character; remove it.`);
  const tab = field.rest.findIndex((line) => line.slice(0, indentOf(line)).includes("\t"));
  if (tab !== -1 && complaint.reason.includes("tab")) {
    return at(tab + 1, "a tab is used for indentation; use spaces.");
  }
  if (complaint.reason === "duplicated mapping key") {
    return at(complaint.line ?? 0, `${label} contains the same key twice; keep one of them.`);
  }
  return explainValue(field, label, complaint, at);
}

function explainValue(
  field: RawField,
  label: string,
  complaint: YamlComplaint,
  at: (offset: number, sentence: string) => Explanation,
): Explanation {
  const first = field.first.charAt(0);
  if (first === "|" || first === ">") {
    return TEXT_AFTER_HEADER.test(field.first)
      ? at(
          0,
          `${label} has text on the same line as \`${first}\`; start the text on the next line, indented by two spaces.`,
        )
      : at(complaint.line ?? 0, `the lines of ${label} must be indented by two spaces.`);
  }
  if ("[{".includes(first) && first !== "" && label.startsWith("`")) {
    return at(0, `${label} has a malformed list or map after \`${first}\` (${complaint.reason}); fix it.`);
  }
  if (first !== "" && RESERVED.includes(first)) {
    return at(
      0,
      `${label} starts with "${first}", a special character in YAML; put the value in double quotes.`,
    );
  }
  const margin = field.rest.findIndex(
    (line) => line.trim() !== "" && indentOf(line) === 0 && !line.startsWith("#"),
  );
  if (margin !== -1) {
    return at(
      margin + 1,
      `${label} continues without indentation; write \`${field.key}: |\` and indent its lines by two spaces.`,
    );
  }
  if (first === '"' || first === "'") {
    return at(
      0,
      `the quotes of ${label} do not match; put the value in double quotes and write \\" for those inside.`,
    );
  }
  // Below any other field, `key: value` is a map.
  const text = label.startsWith("`") ? [field.first] : [field.first, ...field.rest];
  const colon = text.findIndex((line) => /:(?:\s|$)/.test(line));
  if (colon !== -1)
    return at(colon, `${label} contains ": " without quotes; put the value in double quotes.`);
  return at(
    complaint.line ?? 0,
    `${label} is not valid YAML (${complaint.reason}); fix it, or put the value in double quotes.`,
  );
}

const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f]/;
const RESERVED = "*&!%@`[]{},-?#";
const TEXT_AFTER_HEADER = /^[|>][+\-0-9]{0,2}\s*[^\s+\-0-9]/;
