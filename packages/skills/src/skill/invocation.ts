import { defined, isRecord } from "#util/pure";
import { readArguments, readHint, type SkillArgument, type Warn, type Written } from "./arguments.ts";
import type { Problem } from "./diagnostic.ts";
import { type Fields, readPlain } from "./front-matter/fields.ts";
import { collapseWhiteSpace, hasMoreLinesThan, lineOfKey } from "./front-matter/key-lines.ts";
import { readYaml } from "./front-matter/read-yaml.ts";

/** Where the author says no. */
interface InvocationReason {
  readonly field: string;
  readonly line?: number;
  /** Relative to the skill's folder; absent for the skill's own file. */
  readonly file?: string;
}

/** What the author says about who uses a skill, and how. A skill whose author says nothing has none. */
export interface Invocation {
  /** Whether models are shown the skill. It loads by name in any case. */
  readonly model: boolean;
  /** Whether people are offered it as a slash command. */
  readonly user: boolean;
  readonly because: readonly InvocationReason[];
  /** Not meant for installers. */
  readonly internal?: true;
  /** One line that belongs to the description. */
  readonly whenToUse?: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly SkillArgument[];
}

interface InvocationReading {
  /** What the author says; undefined when models and users may both use the skill, as usual. */
  readonly invocation: Invocation | undefined;
  readonly warnings: readonly Problem[];
}

/** The fields that decide it, by their official names. */
export const INVOCATION_FIELDS = [
  "disable-model-invocation",
  "user-invocable",
  "when_to_use",
  "argument-hint",
  "arguments",
] as const;

type InvocationField = (typeof INVOCATION_FIELDS)[number];

/** Fields of hosts that are shown and never enforced: what they mean is up to the host. */
export const HOST_FIELDS: readonly string[] = [
  "context",
  "agent",
  "model",
  "effort",
  "allowed-tools",
  "disallowed-tools",
  "hooks",
  "paths",
  "shell",
];

/** The fields of hosts in a front matter: shown, never enforced. */
export function hostFieldsIn(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    HOST_FIELDS.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]])),
  );
}

/** `allowed-tools: Read, Grep`, also for a list or a map. */
export function hostFieldText(field: string, value: unknown): string {
  return `${field}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Other words for the same fields; the key is what `foldKey` makes of a spelling. */
const BY_FOLDED_KEY: ReadonlyMap<string, InvocationField> = new Map([
  ...INVOCATION_FIELDS.map((field) => [foldKey(field), field] as const),
  ["userinvokable", "user-invocable"],
  ["args", "arguments"],
]);

/** The official name of a field in any spelling: `userInvocable`, `User_Invocable`. */
export function invocationFieldOf(key: string): InvocationField | undefined {
  return BY_FOLDED_KEY.get(foldKey(key));
}

function foldKey(key: string): string {
  return key.toLowerCase().replace(/[-_ ]/g, "");
}

/** Most skills have no other fields, and then there is nothing to read. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["name", "description", "license", "compatibility"]);
const NOTHING: InvocationReading = { invocation: undefined, warnings: [] };

/** Reads the author's fields. `firstLine` is the line of the file on which `block` begins. */
export function readInvocation(fields: Fields, block: string, firstLine: number): InvocationReading {
  const written = new Map<InvocationField, Written>();
  for (const key in fields) {
    if (SAYS_NOTHING.has(key)) continue;
    const field = invocationFieldOf(key);
    if (field !== undefined && (key === field || !written.has(field)))
      written.set(field, { key, value: fields[key] });
  }
  const internal = internalIn(fields["metadata"]);
  if (written.size === 0 && internal === undefined) return NOTHING;

  const warnings: Problem[] = [];
  const place = (key: string) => lineOfKey(key, block, firstLine);
  const warn = (key: string, sentence: string): void => {
    warnings.push({ code: "invocation-field", message: sentence, ...place(key) });
  };
  const because: InvocationReason[] = [];
  const says = (field: "disable-model-invocation" | "user-invocable", no: boolean): boolean => {
    const found = written.get(field);
    const value = found === undefined ? undefined : readSwitch(found, warn);
    if (found === undefined || value !== no) return false;
    because.push({ field, ...place(found.key) });
    return true;
  };
  const model = !says("disable-model-invocation", true);
  const user = !says("user-invocable", false);
  const isInternal = internal !== undefined && readSwitch(internal, warn) === true;
  const whenToUse = readText(written.get("when_to_use"), warn);
  const argumentHint = readHint(written.get("argument-hint"), warn);
  const declared = readArguments(written.get("arguments"), warn);
  const more: Omit<Invocation, "model" | "user" | "because"> = {
    ...(isInternal ? { internal: true } : {}),
    ...defined({ whenToUse, argumentHint, arguments: declared }),
  };
  const isUsual = model && user && Object.keys(more).length === 0;
  return { invocation: isUsual ? undefined : { model, user, because, ...more }, warnings };
}

function internalIn(metadata: unknown): Written | undefined {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return undefined;
  const found = Object.entries(metadata).find(([key]) => foldKey(key) === "internal");
  return found && { key: found[0], value: found[1] };
}

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1", "y"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0", "n"].map((word) => [word, false] as const),
]);

/** Yes or no as people write it; undefined, with a warning, for anything else. */
function readSwitch({ key, value }: Written, warn: Warn): boolean | undefined {
  if (typeof value === "boolean") return value;
  const isScalar = typeof value === "string" || typeof value === "number";
  const known = isScalar ? SWITCHES.get(String(value).trim().toLowerCase()) : undefined;
  if (known === undefined) {
    const shown = isScalar
      ? `is '${cut(String(value))}'`
      : value === null
        ? "is empty"
        : "is a list or a map";
    warn(key, `\`${key}\` ${shown} and was ignored. Write \`true\` or \`false\`.`);
  }
  return known;
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** A sentence, or a list of them. */
function readText(written: Written | undefined, warn: Warn): string | undefined {
  if (written === undefined || written.value === null) return undefined;
  const { key, value } = written;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (parts.some((part) => typeof part === "object")) {
    warn(
      key,
      `\`${key}\` must be text and was ignored. Write it as text, in double quotes if it contains ": ".`,
    );
    return undefined;
  }
  return collapseWhiteSpace(parts.map(String).join(" ")) || undefined;
}

/** The description as models read it in a list. */
export function describedFor({ description, invocation }: DescribedSkill): string {
  return invocation?.whenToUse === undefined ? description : `${description} - ${invocation.whenToUse}`;
}

interface DescribedSkill {
  readonly description: string;
  readonly invocation?: Invocation;
}

/** Whether two say the same, wherever they say it. */
export function sameInvocation(a: Invocation | undefined, b: Invocation | undefined): boolean {
  return a === b || JSON.stringify({ ...a, because: [] }) === JSON.stringify({ ...b, because: [] });
}

/** `model: no, user: yes, because line 4 says disable-model-invocation`. */
export function explainInvocation(invocation: Invocation | undefined): string {
  const { model, user, because } = invocation ?? USUAL;
  const state = `model: ${model ? "yes" : "no"}, user: ${user ? "yes" : "no"}`;
  return because.length === 0 ? state : `${state}, because ${because.map(reasonText).join(" and ")}`;
}

/** What holds for a skill whose author says nothing. */
export const USUAL: Invocation = { model: true, user: true, because: [] };

function reasonText({ field, line, file }: InvocationReason): string {
  const place = [...(file === undefined ? [] : [file]), ...(line === undefined ? [] : [`line ${line}`])];
  return `${place.length === 0 ? "the front matter" : place.join(" ")} says ${field}`;
}

/** Put before a description, it says that not everyone is offered the skill. */
export function audienceMark({ model, user }: Invocation = USUAL): string {
  if (model) return user ? "" : "[models only] ";
  return user ? "[not for models] " : "[by name only] ";
}

/** Where Codex keeps its settings of a skill, below the skill's folder. */
export const POLICY_FOLDER = "agents";
export const POLICY_FILE = "openai.yaml";

/** What such a file says about invocation. */
export interface CodexPolicy {
  /** Whether models may choose the skill by themselves. */
  readonly allowsImplicit: boolean;
  readonly line?: number;
  readonly warnings: readonly Problem[];
}

const FIELD = "allow_implicit_invocation";
const MOST_LINES = 2_000;
const ALLOWS: CodexPolicy = { allowsImplicit: true, warnings: [] };

/** Reads the text of `agents/openai.yaml`. Never throws: a file that cannot be read allows everything, as in Codex. */
export function parseCodexPolicy(text: string): CodexPolicy {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (hasMoreLinesThan(source, MOST_LINES)) return ignored(`It has more than ${MOST_LINES} lines`);
  const plain = readPlain(source);
  const reading = plain === undefined ? readYaml(source) : { ok: true as const, fields: plain };
  if (!reading.ok) {
    const { reason, line } = reading.complaint;
    return ignored(`It is not valid YAML (${reason})`, line === undefined ? undefined : line + 1);
  }
  const { policy } = reading.fields;
  if (!isRecord(policy) || !(FIELD in policy)) return ALLOWS;
  const place = lineOfKey(FIELD, source, 1);
  const warnings: Problem[] = [];
  const value = readSwitch({ key: `policy.${FIELD}`, value: policy[FIELD] }, (_, message) => {
    warnings.push({ code: "invocation-field", message, ...place });
  });
  return { allowsImplicit: value !== false, ...place, warnings };
}

function ignored(reason: string, line?: number): CodexPolicy {
  const message = `${reason}, so it was ignored. Fix it, or remove the file.`;
  const problem: Problem = { code: "invocation-field", message, ...(line === undefined ? {} : { line }) };
  return { allowsImplicit: true, warnings: [problem] };
}

/** What holds after Codex's settings: either of the two can keep a skill from models. */
export function withCodexPolicy(
  invocation: Invocation | undefined,
  policy: CodexPolicy | undefined,
): Invocation | undefined {
  if (policy === undefined || policy.allowsImplicit) return invocation;
  const { line } = policy;
  const reason = {
    field: `policy.${FIELD}`,
    file: `${POLICY_FOLDER}/${POLICY_FILE}`,
    ...(line === undefined ? {} : { line }),
  };
  const before = invocation ?? USUAL;
  return { ...before, model: false, because: [...before.because, reason] };
}
