import type { SkillDetail } from "#server/wire";

/** The label and the tooltip of each status. */
export const STATUS: Readonly<
  Record<SkillDetail["status"], { readonly label: string; readonly meaning: string }>
> = {
  ok: { label: "Served", meaning: "Visible to agents." },
  warning: { label: "Warning", meaning: "Visible to agents, but the file has something to fix." },
  ambiguous: {
    label: "Ambiguous",
    meaning: "Visible to agents, but only its qualified name loads it: several skills share the short name.",
  },
  disabled: { label: "Disabled", meaning: "Not served: the skill is disabled." },
  shadowed: { label: "Shadowed", meaning: "Not served: a skill with the same name has priority." },
  broken: { label: "Broken", meaning: "Not served: the file has an error." },
};

export function isStatus(text: string): text is SkillDetail["status"] {
  return text in STATUS;
}
