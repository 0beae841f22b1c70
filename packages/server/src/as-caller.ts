import type { ClientName, UsedBy } from "#usage";
import type { Services } from "./services.ts";

/** Who uses the services. */
interface ServiceCaller {
  /** The subject of a token; undefined on a server without authentication. */
  readonly subject: string | undefined;
  /** The program that calls, as soon as it is known. */
  readonly client: () => ClientName | undefined;
}

/** Usage and library as one caller uses them: what they do is recorded as theirs, and they see no one else's usage. */
export function asCaller(
  { usage, libraryOf }: Pick<Services, "usage" | "libraryOf">,
  { subject, client }: ServiceCaller,
): Pick<Services, "usage" | "library"> {
  const by = (): UsedBy => ({ caller: subject, client: client() });
  return {
    usage: {
      ...usage,
      record: (type, data) => usage.record(type, data, by()),
      recordUnknownName: (name, via) => usage.recordUnknownName(name, via, by()),
      ...(subject !== undefined && { usage: (span) => usage.usage(span, subject) }),
    },
    // Since 2026-07-28 every request has a caller of its own, and hardly one uses a library.
    get library() {
      return libraryOf(by);
    },
  };
}
