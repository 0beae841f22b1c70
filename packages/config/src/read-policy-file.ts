import { lstatSync, type Stats } from "node:fs";
import path from "node:path";
import { platform } from "#util";
import { isRecord, suggestNames } from "#util/pure";
import { readConfigFile } from "./config-files.ts";
import { type ReadPolicy, SETTING_ORDERS } from "./machine-policy.ts";
import { parseConfigText } from "./parse-config-text.ts";
import { EVERYTHING, keyPath, leavesOf, type Setting } from "./settings.ts";

/** Reads the policy of the machine. Whatever is wrong in it, nobody knows what it forbids. */
export async function readPolicyFile(file: string): Promise<ReadPolicy> {
  const wrong = (message: string, line?: number): ReadPolicy => {
    const place = line === undefined ? file : `${file}:${line}`;
    const problem = { place, message, withholds: EVERYTHING };
    return { problems: [problem] };
  };
  const owner = ownerProblem(file);
  if (owner !== undefined) return wrong(owner);
  const reading = await readConfigFile(file, { followLinks: false, where: "the machine's policy" });
  if (reading === undefined) return { problems: [] };
  if (!reading.ok) return wrong(reading.message);
  const parsed = parseConfigText(reading.text);
  if (!parsed.ok) return wrong(parsed.message, parsed.line);
  const { data = {}, lineOf } = parsed;
  if (!isRecord(data)) return wrong("The file must be a map of limits.");
  const settings: Setting[] = [];
  for (const { parts, value } of leavesOf(data)) {
    const line = lineOf(keyPath(parts));
    const problem = problemOf(parts, value);
    if (problem !== undefined) return wrong(problem, line);
    const isSetting = Object.hasOwn(SETTING_ORDERS, keyPath(parts));
    const origin = { kind: "file", file, ...(line === undefined ? {} : { line }) } as const;
    if (isSetting) settings.push({ parts, value, origin });
  }
  const { trust, sources, profile, telemetry } = data;
  const listed = isRecord(profile) ? profile : undefined;
  const policy = {
    file,
    limits: leavesOf(data).map(({ parts }) => keyPath(parts)),
    ...(isRecord(trust) ? { trust: JSON.stringify(trust) } : {}),
    ...(Array.isArray(sources) ? { sources: sources.map(String) } : {}),
    ...(listed && { profile: { include: textsOf(listed["include"]), exclude: textsOf(listed["exclude"]) } }),
    ...(telemetry === false ? ({ telemetry } as const) : {}),
    settings,
  };
  return { policy, problems: [] };
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Why a file is refused that others than root may write or replace. Windows keeps such rights in access lists, which are not read. */
function ownerProblem(file: string): string | undefined {
  for (const place of [file, path.dirname(file), path.dirname(path.dirname(file))]) {
    let stats: Stats;
    try {
      stats = lstatSync(place);
    } catch (error) {
      return `It cannot be examined (${String(error)}), so nothing is served.`;
    }
    if (place === file && !stats.isFile()) return "It is not a regular file, so nothing is served.";
    const problem = writableProblem(place, stats);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function writableProblem(place: string, { uid, mode }: Stats): string | undefined {
  if (!platform.files.haveModes) return undefined;
  if (uid !== 0)
    return `${place} belongs to user ${uid}, and must belong to root. Until then nothing is served.`;
  // In a folder such as /tmp only the owner may replace a file.
  const isOpen = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
  return isOpen ? `${place} can be written by others than root. Run: chmod go-w ${place}` : undefined;
}

const LISTS = ["trust.allow", "trust.review", "trust.block", "profile.include", "profile.exclude", "sources"];
const KEYS: readonly string[] = [...LISTS, "telemetry", ...Object.keys(SETTING_ORDERS)];

function problemOf(parts: readonly string[], value: unknown): string | undefined {
  const key = keyPath(parts);
  if (LISTS.includes(key)) {
    const isList =
      Array.isArray(value) && value.every((each) => typeof each === "string" && each.trim() !== "");
    if (!isList) return `${key} must be a list of texts. Until then nothing is served.`;
    return value.some((each) => String(each).trim().startsWith("~"))
      ? `${key} begins with ~, which is another folder for each user; write absolute folders. Until then nothing is served.`
      : undefined;
  }
  if (key === "telemetry")
    return value === false ? undefined : "telemetry can only be false. Until then nothing is served.";
  const order = Object.hasOwn(SETTING_ORDERS, key) ? SETTING_ORDERS[key] : undefined;
  if (order === undefined) {
    const [meant] = suggestNames(key, KEYS, 1);
    const way = meant === undefined ? `It may limit ${KEYS.join(", ")}.` : `Did you mean ${meant}?`;
    return `${key} is nothing that a policy can limit, so nothing is served. ${way}`;
  }
  const values = order.filter((one) => one !== undefined);
  return values.some((one) => one === value)
    ? undefined
    : `${key} must be ${values.map(String).join(", ")}. Until then nothing is served.`;
}
