import { isRecord } from "#util/pure";
import type { Problem } from "./diagnostic.ts";
import { lineOfKey } from "./front-matter/key-lines.ts";
import { readPlain } from "./front-matter/read-plain.ts";
import { readYaml } from "./front-matter/read-yaml.ts";
import { hasMoreLinesThan } from "./front-matter/split.ts";
import { type Invocation, readSwitch, USUAL } from "./invocation.ts";

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
