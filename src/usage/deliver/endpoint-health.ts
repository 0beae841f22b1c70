import type { Log } from "../../system/log.ts";
import { backoffMs } from "./backoff.ts";
import type { DeliveryFailure } from "./deliver.ts";

/** How an endpoint has been doing, and when to ask it again. */
export interface EndpointHealth {
  /** False: leave it alone for now. Someone who asks in person waits only when the endpoint itself said so. */
  mayAsk(inPerson: boolean): boolean;
  succeeded(): void;
  failed(failure: DeliveryFailure): void;
  /** When events were last taken. */
  readonly lastDelivery: () => string | undefined;
  readonly failure: () => EndpointFailure | undefined;
}

export interface EndpointFailure {
  readonly reason: string;
  readonly since: string;
}

export interface EndpointHealthOptions {
  /** How a person knows the endpoint, without what may be secret in its address. */
  readonly name: string;
  readonly intervalMs: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
}

export function createEndpointHealth(options: EndpointHealthOptions): EndpointHealth {
  const { name, intervalMs, now, random, log } = options;
  let failures = 0;
  let backOffUntil = 0;
  let retryAfter = 0;
  let lastDelivery: string | undefined;
  let failure: EndpointFailure | undefined;
  const time = (): string => new Date(now()).toISOString();

  return {
    mayAsk: (inPerson) => now() >= retryAfter && (inPerson || now() >= backOffUntil),
    succeeded() {
      if (failure !== undefined)
        log.info(`usage: ${name} takes events again, after a failure since ${failure.since}.`);
      failures = 0;
      backOffUntil = 0;
      retryAfter = 0;
      failure = undefined;
      lastDelivery = time();
    },
    failed({ reason, retryAfterMs }) {
      // Said once: every further failure is the same news.
      if (failure === undefined)
        log.warn(`usage: ${name} does not take events (${reason}). They are kept and sent again later.`);
      failure = { reason, since: failure?.since ?? time() };
      failures++;
      backOffUntil = now() + backoffMs(failures, intervalMs, random);
      if (retryAfterMs !== undefined) retryAfter = now() + retryAfterMs;
    },
    lastDelivery: () => lastDelivery,
    failure: () => failure,
  };
}
