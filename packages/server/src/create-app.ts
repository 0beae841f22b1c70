import type { LibraryTools } from "#library";
import type { Narrowing, SkillCatalog, Toggles } from "#skills";
import { compose, type Services } from "./compose.ts";
import type { AppOptions } from "./options.ts";
import type { Checks, Search, Skills, UsageRecords } from "./services.ts";

export type App = Skills &
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
    readonly listCatalog: SkillCatalog["list"];
    readonly searchAllWords: SkillCatalog["search"];
    readonly narrowed: (narrowing: Narrowing) => App;
  };

export function createApp(options: AppOptions = {}): {
  readonly app: App;
  readonly close: () => Promise<void>;
} {
  const { services, close } = compose(options);
  return { app: flat(services), close };
}

function flat(services: Services): App {
  const { skills, toggles, search, usage, checks, catalog, narrowed, ...rest } = services;
  return {
    ...rest,
    ...skills,
    ...toggles,
    ...search,
    ...usage,
    ...checks,
    listCatalog: catalog.list,
    searchAllWords: catalog.search,
    narrowed: (narrowing) => flat(narrowed(narrowing)),
  };
}
