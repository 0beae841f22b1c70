import { unknownProfile } from "#skills";
import type { Services } from "../../services.ts";
import type { Principal } from "../auth/principal.ts";
import { HttpRefusal } from "./exchange.ts";
import type { HttpServerOptions } from "./options.ts";

/** Who sees what on a server whose callers differ in that. */
export interface HttpProfiles {
  names(): readonly string[];
  has(name: string): boolean;
  /** What whoever is served this profile uses. */
  viewOf(name: string): Services;
  /** Of callers whose token names none. */
  readonly ofOthers: string | undefined;
  /** Of installers without a token: they may list and download the skills of this one. Undefined: they may not. */
  readonly ofInstallers: string | undefined;
}

/**
 * A caller with the profile that is in force for a request. What a credential says holds for every path: a path chooses for
 * callers who see everything, and one that names another profile is refused, whether that exists or not.
 */
export function inProfile(
  caller: Principal,
  named: string | undefined,
  profiles: HttpProfiles | undefined,
): Principal {
  const own = caller.profile ?? (caller.subject === undefined ? undefined : profiles?.ofOthers);
  if (own !== undefined && named !== undefined && own !== named)
    throw new HttpRefusal(403, `Your token is for the profile '${own}', so only that one is served to you.`);
  if (own !== undefined && profiles?.has(own) !== true)
    throw new HttpRefusal(403, `Your token is for the profile '${own}', which this server does not have.`);
  const profile = own ?? named;
  if (profile === undefined) return caller;
  if (profiles?.has(profile) !== true)
    throw new HttpRefusal(404, unknownProfile(profile, profiles?.names() ?? []));
  return { ...caller, profile };
}

/** The services as a caller sees them. */
export function viewFor(
  { services, profiles }: Pick<HttpServerOptions, "services" | "profiles">,
  { profile }: Principal,
): Services {
  return profile === undefined || profiles === undefined ? services : profiles.viewOf(profile);
}
