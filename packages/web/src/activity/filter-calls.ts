import type { ActivityAnswer } from "#server/wire";

export type Call = ActivityAnswer["calls"][number];

/** What kinds of calls are shown. */
export const KINDS = { all: "All", skills: "Skills", failed: "Failed" } as const;
export type Kind = keyof typeof KINDS;

/** The calls of a kind in which every typed word stands somewhere, the newest first. */
export function filterCalls(calls: readonly Call[], kind: Kind, typed: string): readonly Call[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return calls
    .filter((call) => {
      if (kind === "skills" && call.skill === undefined) return false;
      if (kind === "failed" && call.outcome === "ok") return false;
      const text = [call.agent, call.version, call.caller, call.what, call.skill, OUTCOMES[call.outcome]]
        .join(" ")
        .toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toReversed();
}

export const OUTCOMES: Readonly<Record<Call["outcome"], string>> = {
  ok: "ok",
  tool_error: "refused",
  error: "error",
  cancelled: "cancelled",
};
