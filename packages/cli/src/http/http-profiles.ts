import type { HttpProfiles, ServerFactory, ServerPlan, ServerSettings, Services } from "#server";
import { createServerFactory, forProfiles } from "#server";
import { createProfiles, type Profiles, requireProfiles } from "#skills";
import { memoizeWeak } from "#util/pure";
import { profilesOf, type ViewFlags } from "../shared-flags.ts";

type ProfileFlags = ViewFlags & { readonly "default-profile": string | undefined };

interface Observers extends Pick<ServerSettings, "log"> {
  readonly requests: NonNullable<ServerSettings["observation"]>;
}

interface OwnProfiles {
  readonly profiles: Profiles;
  /** The profile of callers whose token names none. */
  readonly ofOthers: string | undefined;
  /** Serves the profiles of other settings from now on. Wrong ones are a `Refusal`, and nothing changes. */
  takeOver(given: ProfileFlags): void;
}

/** The profiles of a server, before anything is opened. A name that none has is a `Refusal`. */
export function openProfiles(given: ProfileFlags): OwnProfiles {
  const known = profilesOf(given);
  const { "default-profile": ofOthers } = given;
  requireProfiles(known, ofOthers === undefined ? [] : [ofOthers]);
  const profiles = createProfiles(known);
  return { profiles, ofOthers, takeOver: (fresh) => profiles.swap(profilesOf(fresh)) };
}

/** A plan that serves only what the profiles for everyone leave, also after `takeOver`. */
export function withProfiles(plan: ServerPlan, profiles: Profiles): ServerPlan {
  const chosen = plan.app.profiles?.map(({ name }) => name) ?? [];
  return chosen.length === 0
    ? plan
    : { ...plan, app: { ...plan.app, profilesInForce: profiles.inForce(chosen) } };
}

/** The view of each profile, within what the profiles for everyone leave. */
export function createHttpProfiles(
  services: Pick<Services, "narrowed">,
  plan: ServerPlan,
  { profiles, ofOthers }: OwnProfiles,
): HttpProfiles {
  const always = plan.app.profiles?.map(({ name }) => name) ?? [];
  const views = new Map<string, Services>();
  return {
    names: profiles.names,
    has: profiles.has,
    ofOthers,
    viewOf(name) {
      const view = views.get(name) ?? services.narrowed(profiles.inForce([...new Set([...always, name])]));
      views.set(name, view);
      return view;
    },
  };
}

/** A session keeps the settings that it began with; a request since 2026-07-28 is served with the newest. */
export function currentFactory(
  services: Parameters<typeof createServerFactory>[0],
  plan: () => ServerPlan,
  { profiles, viewOf }: Pick<HttpProfiles, "viewOf"> & { readonly profiles: Profiles },
  { requests, log }: Observers,
): ServerFactory {
  const own = { observation: requests, log };
  const factoriesOf = memoizeWeak((_plan: ServerPlan) => new Map<string, ServerFactory>());
  return (context) => {
    const current = plan();
    const { profile } = context;
    const factories = factoriesOf(current);
    const factory = factories.get(profile ?? "") ?? createFactory(current, profile);
    factories.set(profile ?? "", factory);
    return factory(context);
  };

  function createFactory({ settings }: ServerPlan, profile: string | undefined): ServerFactory {
    if (profile === undefined) return createServerFactory(services, { ...settings, ...own });
    const narrowed = forProfiles(settings, profiles.of([profile]));
    return createServerFactory(viewOf(profile), { ...settings, ...narrowed, cacheScope: "private", ...own });
  }
}
