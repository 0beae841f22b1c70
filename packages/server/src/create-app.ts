import type { LibraryTools } from "#library";
import type { ProfilesInForce, SnapshotView, Toggles } from "#skills";
import { compose, type Services } from "./compose.ts";
import type { AppOptions } from "./options.ts";
import type { CatalogSearch, Checks, Search, Skills, UsageRecords } from "./services.ts";

export type App = Skills &
  CatalogSearch &
  Toggles &
  Search &
  UsageRecords &
  Checks &
  Pick<
    Services,
    | "libraryOf"
    | "review"
    | "auditLog"
    | "page"
    | "installPlaces"
    | "sharedRates"
    | "setWorkspaces"
    | "setView"
  > & {
    readonly library: LibraryTools;
    readonly servedAs: (view: SnapshotView) => Skills & CatalogSearch & Search;
    readonly narrowed: (narrowing: ProfilesInForce) => App;
  };

export function createApp(options: AppOptions = {}): {
  readonly app: App;
  readonly close: () => Promise<void>;
} {
  const { services, close } = compose(options);
  return { app: flat(services), close };
}

function flat(services: Services): App {
  const { skills, toggles, search, usage, checks, catalog, narrowed, servedAs, ...rest } = services;
  return {
    ...rest,
    ...skills,
    ...toggles,
    ...search,
    ...usage,
    ...checks,
    ...catalog,
    servedAs(view) {
      const served = servedAs(view);
      return { ...served.skills, ...served.catalog, ...served.search };
    },
    narrowed: (narrowing) => flat(narrowed(narrowing)),
  };
}
