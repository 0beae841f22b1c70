import { compareSeverity, type Severity } from "#skills";
import type { TextRule } from "../rule.ts";
import type { FileView } from "./file-view.ts";

/** Hosts that stand for one: what is sent there is an example. */
const PLACEHOLDER =
  /\b(?:attacker|evil|malicious|hacker|victim|badguy|c2-server|target|vulnerable)(?:[\w-]{0,20})?\.(?:com|net|org|io|example|test|local)\b|\b(?:ATTACKER|EVIL|YOUR|TARGET)[_-](?:IP|HOST|SERVER|DOMAIN|URL)\b|\bLHOST\b|<(?:your|attacker|host|ip|server|url|lhost)[\w -]{0,20}>|\bexample\.(?:com|org|net)\b|\$(?:LHOST|ATTACKER\w{0,10})\b|https?:\/\/[\w.-]{3,60}\/\.\.\.|AAAA\.\.\.|\byour[-_ ](?:key|public)/g;
/** An address that something is really sent to or fetched from. */
const ADDRESS = /(?:https?:\/\/|\/dev\/(?:tcp|udp)\/|@)[\w-]{1,63}\.[\w-]/;
/** Right before a command: the sentence forbids it. */
const FORBIDS =
  /\b(?:never|not|don'?t|avoid|without|instead of|rather than|refuse to|block(?:s|ed|ing)?|reject(?:s|ed)?|prevent(?:s|ing)?|forbidden|dangerous|unsafe|insecure|wrong|bad|flag(?:s|ged)?|detect(?:s|ed|ing)?|looks? for|such as|e\.g\.|like)[:,]?\s{1,3}(?:\S{1,20}\s{1,3}){0,4}(?:`|"|'|$)|❌|🚫|⚠/i;

/**
 * How bad a match is at the place where it stands. What is only mentioned, explained or tested is no worse than `low`.
 * Words weigh in prose alone: nothing that a text says makes a command in a script or in a block of commands harmless.
 */
export function weigh(
  rule: Pick<TextRule, "speaks" | "talk" | "taught">,
  severity: Severity,
  { text, line }: { readonly text: string; readonly line: number },
  file: FileView,
): Severity {
  const place = file.places.at(line);
  let most: Severity = "critical";
  const atMost = (limit: Severity): void => {
    if (compareSeverity(limit, most) < 0) most = limit;
  };
  if (place === "mention" || file.isTest) atMost("low");
  // Documentation shows code.
  if (place === "sample" && !file.isOwn) atMost("medium");
  if (place === "data") atMost(rule.speaks === true ? "low" : "medium");
  // What stands in a block or in code is shown or run; an agent obeys prose.
  if (rule.speaks === true && place !== "text") atMost("low");
  if (file.kind === "prose" && isExample(text)) atMost(file.isOwn ? "medium" : "low");
  if (place === "text" && isTalk(rule, text)) atMost(file.isOwn && rule.speaks === true ? "medium" : "low");
  if (file.kind === "prose" && file.isAboutAttacks && (rule.taught === true || rule.speaks === true)) {
    if (!file.isOwn || (place === "text" && rule.speaks !== true && severity !== "critical")) atMost("low");
    else if (place !== "command" || severity !== "critical") atMost("medium");
  }
  return compareSeverity(severity, most) > 0 ? most : severity;
}

/** Every address stands for one; a comment behind a command makes no example of it. */
function isExample(text: string): boolean {
  const code = text.replace(/\s#\s[^\n]{0,4000}/, "");
  const rest = code.replaceAll(PLACEHOLDER, "");
  return rest !== code && !ADDRESS.test(rest);
}

/** A sentence that talks about it. A whole command in it counts, unless the words right before it forbid it. */
function isTalk({ speaks, talk }: Pick<TextRule, "speaks" | "talk">, text: string): boolean {
  if (speaks === true || !text.includes("`")) return talk?.test(text) === true;
  return FORBIDS.test(text.slice(0, text.lastIndexOf("`", text.length - 2) + 1));
}
