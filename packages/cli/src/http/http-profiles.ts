import type { ServerPlan } from "#server";
import { createProfiles, type Profiles, requireProfiles } from "#skills";
import { profilesOf, type ViewFlags } from "../shared-flags.ts";

type ProfileFlags = ViewFlags & {
  readonly "default-profile": string | undefined;
  readonly "public-index": string | undefined;
};

interface OwnProfiles {
  readonly profiles: Profiles;
  /** The profile of callers whose token names none. */
  readonly ofOthers: string | undefined;
  /** The profile whose skills installers without a token may download. */
  readonly ofInstallers: string | undefined;
  /** Serves the profiles of other settings from now on. Wrong ones are a `Refusal`, and nothing changes. */
  takeOver(given: ProfileFlags): void;
}

/** The profiles of a server, before anything is opened. A name that none has is a `Refusal`. */
export function openProfiles(given: ProfileFlags): OwnProfiles {
  const known = profilesOf(given);
  const { "default-profile": ofOthers, "public-index": ofInstallers } = given;
  requireProfiles(
    known,
    [ofOthers, ofInstallers].filter((name) => name !== undefined),
  );
  const profiles = createProfiles(known);
  return { profiles, ofOthers, ofInstallers, takeOver: (fresh) => profiles.swap(profilesOf(fresh)) };
}

/** A plan that serves only what the profiles for everyone leave, also after `takeOver`. */
export function withProfiles(plan: ServerPlan, profiles: Profiles): ServerPlan {
  const chosen = plan.app.profiles?.map(({ name }) => name) ?? [];
  return chosen.length === 0
    ? plan
    : { ...plan, app: { ...plan.app, profilesInForce: profiles.inForce(chosen) } };
}
