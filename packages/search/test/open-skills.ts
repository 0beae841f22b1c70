import { type OpenViewOptions, openRegistry, resolvePlaces } from "#skills";
import { createIdle, monotonicMs, NO_LOG } from "#util";

/** The skills that the options select, as the disk is. */
export function openSkills(options: OpenViewOptions): ReturnType<typeof openRegistry> {
  return openRegistry({
    options,
    places: resolvePlaces(options),
    idle: createIdle({ now: monotonicMs }),
    log: NO_LOG,
    trusted: (scan) => scan,
  });
}
