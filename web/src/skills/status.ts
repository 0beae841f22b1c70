import type { SkillStatus } from "../../../src/http/api/wire.ts";

/** What each status means, in the words of the list and in a sentence. */
export const STATUS: Readonly<Record<SkillStatus, { readonly label: string; readonly meaning: string }>> = {
  ok: { label: "Served", meaning: "Agents see it." },
  warning: { label: "Warning", meaning: "Agents see it, but its author should fix something." },
  ambiguous: {
    label: "Ambiguous",
    meaning: "Agents see it, but only its full name loads it: several skills share the short one.",
  },
  disabled: { label: "Disabled", meaning: "Agents do not see it: someone turned it off." },
  hidden: { label: "Hidden", meaning: "Agents do not see it: a skill of the same name is served instead." },
  broken: { label: "Broken", meaning: "Agents do not see it: its file cannot be served." },
};

export function isStatus(text: string): text is SkillStatus {
  return text in STATUS;
}
