import { useState } from "preact/hooks";
import type { ReviewAnswer } from "#server/wire";
import { commandText } from "#util/pure";
import { messageOf } from "../api/client.ts";
import { count } from "../parts/format.ts";
import { useDashboard } from "../state/context.ts";
import type { ReviewItem } from "./waiting.ts";

type Decision = "approve" | "reject" | "revert";
export type Decide = (decision: Decision, skills: readonly ReviewItem[]) => Promise<void>;

interface Seen {
  readonly name: string;
  readonly digest: string;
}

const FLAGS: Readonly<Record<Decision, readonly string[]>> = {
  approve: [],
  reject: ["--reject"],
  revert: ["--revert"],
};

/** Decides about skills as they were shown: about all of them or none. */
export function useDecisions(onDecided: () => void): { readonly isBusy: boolean; readonly decide: Decide } {
  const { client, notify, reload } = useDashboard();
  const [isBusy, setBusy] = useState(false);
  const post = async (
    action: Decision | "reopen",
    skills: readonly Seen[],
  ): Promise<readonly ReviewItem[]> => {
    try {
      return (await client.post<ReviewAnswer>(`review/${action}`, { skills })).skills;
    } finally {
      reload();
    }
  };
  const decide: Decide = async (decision, skills) => {
    setBusy(true);
    try {
      const seen = skills.flatMap((skill) => seenOf(skill, decision === "revert" ? "served" : "now"));
      const after = await post(decision, seen);
      onDecided();
      const undo = undoOf(decision, seen, after);
      notify(`${textOf(decision, skills)}.`, {
        command: commandText(["approve", ...seen.map(({ name }) => name), ...FLAGS[decision]]),
        ...(undo === undefined ? {} : { undo: async () => void (await post(...undo)) }),
      });
    } catch (error) {
      notify(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, decide };
}

function seenOf({ name, digest, served }: ReviewItem, which: "now" | "served"): readonly Seen[] {
  const shown = which === "now" ? digest : served?.digest;
  return shown === undefined ? [] : [{ name, digest: shown }];
}

/** What takes a decision back; a version that its source no longer has cannot be approved again from here. */
function undoOf(
  decision: Decision,
  seen: readonly Seen[],
  after: readonly ReviewItem[],
): [Decision | "reopen", readonly Seen[]] | undefined {
  if (decision === "reject") return ["reopen", seen];
  if (decision === "approve") return ["revert", after.flatMap((skill) => seenOf(skill, "served"))];
  const isThere = after.every(({ digest }, index) => digest === seen[index]?.digest);
  return isThere ? ["approve", seen] : undefined;
}

function textOf(decision: Decision, skills: readonly ReviewItem[]): string {
  const [first] = skills;
  const what = skills.length === 1 && first !== undefined ? first.name : count(skills.length, "skill");
  if (decision === "approve") return `Approved ${what}`;
  if (decision === "revert") return `Rolled back ${what}`;
  return skills.every(({ served }) => served !== undefined)
    ? `Kept the current version of ${what}`
    : `Rejected ${what}`;
}
