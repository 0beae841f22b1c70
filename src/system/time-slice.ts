import { monotonicMs } from "./clock.ts";

/**
 * Decides how a look asks the disk. A synchronous call costs a fifth of a trip through the thread pool, which ten thousand
 * files feel; but a slow disk, or a cloud folder that fetches files when they are read, would hold up every request. So a
 * look makes synchronous calls in short slices. After one that took long, the thread pool is asked, and it tells whether
 * the disk is slow or the machine was only busy.
 */
export interface Pace {
  /** Whether the disk may be asked synchronously now. */
  isQuick(): boolean;
  /** Tells when synchronous calls began and ended, by the clock of the pace, and how much there was to them. */
  took(began: number, ended: number, size: number): void;
  /** Tells that the thread pool has answered. */
  answered(): void;
  /** Makes room for other work when it is time; else undefined. `at` is the time, for whoever knows it. */
  rest(at?: number): Promise<void> | undefined;
}

/** Far above what a local disk needs for one page, far below what a person notices. */
const TOO_LONG_MS = 20;
/** A folder of ten thousands takes its time on any disk. */
const TOO_LONG_FOR_EACH_MS = 0.02;
/** How many answers of the thread pool are waited for before the disk is judged anew. */
const FIRST_TRIAL = 64;
const LONGEST_TRIAL = 4_096;
const LONGER_EACH_TIME = 2;
/** What one of them takes of a quick disk, however busy the machine. */
const QUICK_ANSWER_MS = 1.5;
/** Collecting garbage gives up turns too, so what is counted must be recent. */
const SWITCHES_EVERY_MS = 20;
/** How long a look may hold the event loop. */
const SLICE_MS = 4;
/** Less for what nobody waits for: a step of it or the garbage it leaves may take as long again. */
const LEISURELY_SLICE_MS = 2;
/** And it leaves as much time to others as it takes. */
const LEISURELY_REST_MS = 2;

export function createIndexingPace(): Pace {
  return createPace(monotonicMs, { isLeisurely: () => true, restMs: 0 });
}

export interface PaceOptions {
  /** Whether nobody waits for the work at this moment. */
  readonly isLeisurely?: () => boolean;
  readonly restMs?: number;
  /** How often this process gave up its turn, and how often it was taken away. */
  readonly turns?: () => Turns;
}

interface Turns {
  readonly voluntaryContextSwitches: number;
  readonly involuntaryContextSwitches: number;
}

export function createPace(
  now: () => number,
  { isLeisurely = () => false, restMs = LEISURELY_REST_MS, turns = process.resourceUsage }: PaceOptions = {},
): Pace {
  let trial = FIRST_TRIAL;
  let left = 0;
  let trialBegan = 0;
  let sliceBegan = now();
  let resting: Promise<void> | undefined;
  let switches = turns();
  let switchesAt = sliceBegan;

  /** A thread that waits for a disk gives up its turn; one that only had to let others run did not ask for it. */
  function wasOnlyPreempted(): boolean {
    const after = turns();
    return (
      after.voluntaryContextSwitches === switches.voluntaryContextSwitches &&
      after.involuntaryContextSwitches > switches.involuntaryContextSwitches
    );
  }

  function begin(): void {
    left = trial;
    trialBegan = now();
    trial = Math.min(LONGEST_TRIAL, trial * LONGER_EACH_TIME);
  }

  return {
    isQuick: () => left === 0,
    took(began, ended, size) {
      if (ended - began > TOO_LONG_MS + size * TOO_LONG_FOR_EACH_MS && !wasOnlyPreempted()) begin();
      if (ended - switchesAt < SWITCHES_EVERY_MS) return;
      switches = turns();
      switchesAt = ended;
    },
    answered() {
      if (left === 0 || --left > 0) return;
      if (now() - trialBegan > (trial / LONGER_EACH_TIME) * QUICK_ANSWER_MS) begin();
    },
    rest(at = now()) {
      // Several may work by one pace: they rest together, or each would take a slice of its own before others have a turn.
      if (resting !== undefined) return resting;
      const leisurely = isLeisurely();
      if (at - sliceBegan < (leisurely ? LEISURELY_SLICE_MS : SLICE_MS)) return undefined;
      resting = new Promise((resolve) => {
        const goOn = (): void => {
          resting = undefined;
          sliceBegan = now();
          resolve();
        };
        if (leisurely && restMs > 0) setTimeout(goOn, restMs);
        else setImmediate(goOn);
      });
      return resting;
    },
  };
}

/** Lets long work yield to the event loop, so that requests are answered in between. */
export interface TimeSlices {
  /** Yields when the current slice is over; otherwise undefined. Call it inside every long loop. */
  yieldIfDue(): Promise<void> | undefined;
}

export function createTimeSlices(): TimeSlices {
  const pace = createPace(monotonicMs);
  return { yieldIfDue: () => pace.rest() };
}

/** Runs a generator to its end, and yields to the event loop between its steps. */
export async function runSteps<Result>(
  steps: Iterator<unknown, Result, undefined>,
  slices: TimeSlices,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await slices.yieldIfDue();
  }
}

/** Does work that is cut in steps, and makes room for other work in between. */
export async function runPaced<Result>(steps: Iterator<unknown, Result>, pace: Pace): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const rest = pace.rest();
    if (rest !== undefined) await rest;
  }
}
