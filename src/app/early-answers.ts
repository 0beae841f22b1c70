import path from "node:path";
import type { KeptAnswers } from "../registry/cache/kept-answers.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Skill } from "../skill/skill.ts";
import { VERSION } from "../version.ts";

interface EarlyAnswerOptions {
  readonly kept: KeptAnswers;
  /** Everything that decides which skills are seen. */
  readonly view: string;
  /** Whether that is all there is to it. */
  readonly isUsual: () => boolean;
  /** Whether the disk was looked at. */
  readonly isKnown: () => boolean;
  readonly now: () => number;
  readonly keepAfterMs?: number;
}

/** Whoever asked has long been answered by then. */
const KEEP_AFTER_MS = 1_000;

/** Answers of an earlier run, for whoever asks before the disk was looked at; and the keeping of them. */
export function createEarlyAnswers({
  kept,
  view,
  isUsual,
  isKnown,
  now,
  keepAfterMs = KEEP_AFTER_MS,
}: EarlyAnswerOptions) {
  const startedAt = now();
  const timers = new Set<NodeJS.Timeout>();
  const seen = new Set<string>();
  const questionOf = (question: string): string => JSON.stringify([VERSION, view, question]);
  return {
    early: (question: string): unknown =>
      isKnown() || !isUsual() ? undefined : kept.read(questionOf(question)),
    keep(
      question: string,
      answer: unknown,
      { snapshot, skills }: { readonly snapshot: Snapshot; readonly skills: readonly Skill[] },
    ): void {
      // Only what the first look saw: it is what the next first look will see.
      if (seen.has(question) || !isUsual()) return;
      seen.add(question);
      const timer = setTimeout(() => {
        timers.delete(timer);
        const places = new Set([...snapshot.surroundings(), ...skills.flatMap(placesOf)]);
        void kept.write(questionOf(question), answer, [...places], startedAt);
      }, keepAfterMs);
      timer.unref();
      timers.add(timer);
    },
    close(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function placesOf({ realDir, fileName, linkedFile }: Skill): readonly string[] {
  return [realDir, path.join(realDir, fileName), ...(linkedFile === undefined ? [] : [linkedFile])];
}
