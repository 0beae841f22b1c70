/** How often a skill was suggested on a day, and what became of it. */
export interface SuggestionTally {
  readonly skill: string;
  readonly suggested: number;
  /** Of these, those after which the skill was soon loaded. */
  readonly loaded: number;
  /** Of these, those of skills that the agent reads by itself: nobody here sees whether it loaded them. */
  readonly native: number;
}

/** A prompt is worked on for a while before its skill is loaded; after this time it is for another reason. */
const LONGEST_MS = 30 * 60_000;
/** Older suggestions of a skill that wait to be loaded are forgotten. */
const MOST_WAITING = 100;

interface Waiting {
  readonly time: number;
  readonly day: string;
}

/** Follows suggestions through the events of a history, in the order of the file. */
export function createSuggestionTally() {
  const days = new Map<string, Map<string, { suggested: number; loaded: number; native: number }>>();
  const waiting = new Map<string, Waiting[]>();

  const countsOf = (day: string, skill: string) => {
    const skills = days.get(day) ?? new Map<string, { suggested: number; loaded: number; native: number }>();
    days.set(day, skills);
    const counts = skills.get(skill) ?? { suggested: 0, loaded: 0, native: 0 };
    skills.set(skill, counts);
    return counts;
  };

  return {
    suggested(skill: string, { day, time }: Waiting, isNative: boolean): void {
      const counts = countsOf(day, skill);
      counts.suggested++;
      if (isNative) counts.native++;
      else waiting.set(skill, [...(waiting.get(skill) ?? []), { day, time }].slice(-MOST_WAITING));
    },
    /** One load answers every suggestion that waits: the same task may take several prompts. */
    loaded(skill: string, time: number): void {
      for (const one of waiting.get(skill) ?? []) {
        if (time >= one.time && time - one.time <= LONGEST_MS) countsOf(one.day, skill).loaded++;
      }
      waiting.delete(skill);
    },
    ofDay: (day: string): readonly SuggestionTally[] =>
      sorted([...(days.get(day) ?? [])].map(([skill, counts]) => ({ skill, ...counts }))),
  };
}

/** Adds up the parts of several days. */
export function sumSuggestions(parts: readonly SuggestionTally[]): readonly SuggestionTally[] {
  const sums = new Map<string, SuggestionTally>();
  for (const { skill, suggested, loaded, native } of parts) {
    const sum = sums.get(skill);
    sums.set(skill, {
      skill,
      suggested: suggested + (sum?.suggested ?? 0),
      loaded: loaded + (sum?.loaded ?? 0),
      native: native + (sum?.native ?? 0),
    });
  }
  return sorted([...sums.values()]);
}

/** Most suggested first, then by name. */
function sorted(tallies: readonly SuggestionTally[]): readonly SuggestionTally[] {
  return [...tallies].sort((a, b) => b.suggested - a.suggested || (a.skill < b.skill ? -1 : 1));
}
