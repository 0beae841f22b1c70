import type { ClientName, UsedBy } from "#usage";
import type { App } from "./create-app.ts";

/** Who uses the app. */
interface Caller {
  /** The subject of a token; undefined on a server without authentication. */
  readonly subject: string | undefined;
  /** The program that calls, as soon as it is known. */
  readonly client: () => ClientName | undefined;
}

/** The app as one caller uses it: what they do is recorded as theirs, and they see no one else's usage. */
export function asCaller(app: App, { subject, client }: Caller): App {
  const by = (): UsedBy => ({ caller: subject, client: client() });
  return {
    ...app,
    record: (type, data) => app.record(type, data, by()),
    recordUnknownName: (name, via) => app.recordUnknownName(name, via, by()),
    // Since 2026-07-28 every request has a caller of its own, and hardly one uses a library.
    get library() {
      return app.libraryOf(by);
    },
    ...(subject === undefined ? {} : { usage: (span) => app.usage(span, subject) }),
  };
}
