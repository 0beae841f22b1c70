import {
  errorType,
  type ObservedRequest,
  type ObserveRequest,
  type ObserveWork,
  type RequestOutcome,
  UNOBSERVED,
  type WorkKind,
  type WorkResult,
} from "#util";

/** Combines observers: each of them sees every piece of work. */
export function observedBy(observers: readonly ObserveWork[]): ObserveWork {
  return observers.reduceRight<ObserveWork>(
    (inner, outer) => (work) => outer({ ...work, run: () => inner(work) }),
    UNOBSERVED,
  );
}

/** Notes each piece of work once it has ended. */
export function noteWork(
  note: (kind: WorkKind, seconds: number, result: WorkResult) => void,
  now: () => number,
): ObserveWork {
  return async ({ kind, facts, run, describe }) => {
    const began = now();
    const end = (result: WorkResult): void =>
      note(kind, (now() - began) / 1_000, { ...result, facts: { ...facts, ...result.facts } });
    try {
      const result = await run();
      end(describe?.(result) ?? {});
      return result;
    } catch (error) {
      end({ failed: errorType(error) });
      throw error;
    }
  };
}

/** Combines observers: each of them watches every request. */
export function requestsObservedBy(observers: readonly ObserveRequest[]): ObserveRequest {
  const [only] = observers;
  if (only !== undefined && observers.length === 1) return only;
  return (request) => {
    const watches = observers.map((observe) => observe(request));
    return {
      run: (handle) => watches.reduceRight<() => void>((inner, watch) => () => watch.run(inner), handle)(),
      end(outcome) {
        for (const watch of watches) watch.end(outcome);
      },
    };
  };
}

/** An observer that calls `note` once a request has ended. */
export function noteRequests(
  note: (request: ObservedRequest, outcome: RequestOutcome) => void,
): ObserveRequest {
  return (request) => ({ run: (handle) => handle(), end: (outcome) => note(request, outcome) });
}
