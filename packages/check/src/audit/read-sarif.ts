import type { Severity } from "#skills";
import { isRecord } from "#util/pure";
import type { AuditFinding } from "./finding.ts";
import { excerptOf } from "./text/excerpt.ts";

/** What another scanner found, in our words. */
export interface ScannerReport {
  /** The scanner's own name. */
  readonly tool: string;
  readonly findings: readonly AuditFinding[];
}

type SarifValue = Readonly<Record<string, unknown>>;

const MOST_RESULTS = 1_000;

/** Reads the SARIF that a scanner wrote about one skill; undefined when it is none. */
export function readSarif(value: unknown, folder: string): readonly ScannerReport[] | undefined {
  if (!isRecord(value) || !Array.isArray(value["runs"])) return undefined;
  return value["runs"].filter(isRecord).map((run) => {
    const driver = mapAt(mapAt(run, "tool"), "driver");
    const tool = textAt(driver, "name") ?? "scanner";
    const rules = new Map(listAt(driver, "rules").map((rule) => [textAt(rule, "id") ?? "", rule]));
    const results = listAt(run, "results").slice(0, MOST_RESULTS);
    return { tool, findings: results.map((result) => findingOf(result, rules, tool, folder)) };
  });
}

function findingOf(
  result: SarifValue,
  rules: ReadonlyMap<string, SarifValue>,
  tool: string,
  folder: string,
): AuditFinding {
  const id = textAt(result, "ruleId") ?? textAt(mapAt(result, "rule"), "id") ?? "finding";
  const rule = rules.get(id) ?? {};
  const location = mapAt(listAt(result, "locations")[0] ?? {}, "physicalLocation");
  const region = mapAt(location, "region");
  const line = region["startLine"];
  const snippet = textAt(mapAt(region, "snippet"), "text");
  const message =
    textAt(mapAt(result, "message"), "text") ?? textAt(mapAt(rule, "shortDescription"), "text") ?? id;
  return {
    rule: `${plain(tool)}/${plain(id)}`,
    severity: severityOf(result, rule),
    file: relativeTo(textAt(mapAt(location, "artifactLocation"), "uri") ?? ".", folder),
    ...(typeof line === "number" && line > 0 ? { line } : {}),
    ...(snippet === undefined ? {} : { excerpt: excerptOf(snippet) }),
    message: excerptOf(message),
  };
}

/** Scanners say how bad it is by a number from 0 to 10, or by a level. */
function severityOf(result: SarifValue, rule: SarifValue): Severity {
  const score = Number(
    mapAt(result, "properties")["security-severity"] ?? mapAt(rule, "properties")["security-severity"],
  );
  if (score > 0) return score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low";
  const level = textAt(result, "level") ?? textAt(mapAt(rule, "defaultConfiguration"), "level") ?? "warning";
  return level === "error" ? "high" : level === "note" ? "low" : level === "none" ? "info" : "medium";
}

/** A path below the skill's folder; a scanner may write an address, an absolute path or one relative to the folder. */
function relativeTo(uri: string, folder: string): string {
  const bare = decode(uri.replace(/^file:\/\/[^/]{0,255}/, "")).replaceAll("\\", "/");
  const root = `${folder.replaceAll("\\", "/")}/`;
  const below = bare.startsWith(root) ? bare.slice(root.length) : bare;
  return below.replace(/^(?:\.\/){1,9}/, "") || ".";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\w.-]{1,200}/g, "-")
    .slice(0, 100);
}

function mapAt(map: SarifValue, key: string): SarifValue {
  const value = map[key];
  return isRecord(value) ? value : {};
}

function listAt(map: SarifValue, key: string): readonly SarifValue[] {
  const value = map[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textAt(map: SarifValue, key: string): string | undefined {
  const value = map[key];
  return typeof value === "string" ? value : undefined;
}
