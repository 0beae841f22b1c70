import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { isProfileName } from "#skills";
import type { Log } from "#util";
import { describeError } from "#util";
import type { AuthOutcome, TokenVerifier } from "./authenticate.ts";
import { grantedScopes } from "./principal.ts";

export interface JwtOptions {
  readonly issuer: string;
  readonly audience: string;
  /** The claim that names the profile of a caller. Default: `skills_profile`. */
  readonly profileClaim?: string;
  readonly log: Log;
}

/** Asymmetric signatures only: with a shared secret, every verifier could also issue tokens. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const CLOCK_TOLERANCE_SECONDS = 30;
const DISCOVERY_TIMEOUT_MS = 5_000;
/** The wait after a failed discovery. */
const DISCOVERY_RETRY_MS = 5_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

const UNAVAILABLE: AuthOutcome = {
  kind: "unavailable",
  reason: "The authorization server does not respond. Try again later.",
};

/** Access tokens of an authorization server, verified with the keys that it publishes. */
export function createJwtVerifier({
  issuer,
  audience,
  profileClaim = "skills_profile",
  log,
}: JwtOptions): TokenVerifier {
  let keys: Promise<KeySet> | undefined;
  const warn = (error: unknown): void =>
    log.warn(`cannot get the signing keys of ${issuer}: ${describeError(error)}`);
  const keySet = (): Promise<KeySet> => {
    keys ??= discoverKeys(issuer).catch((error: unknown) => {
      warn(error);
      setTimeout(() => {
        keys = undefined;
      }, DISCOVERY_RETRY_MS).unref();
      throw error;
    });
    return keys;
  };

  return {
    async verify(token) {
      let set: KeySet;
      try {
        set = await keySet();
      } catch {
        return UNAVAILABLE;
      }
      try {
        const { payload } = await jwtVerify(token, set, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ["exp"],
        });
        return granted(payload, profileClaim);
      } catch (error) {
        if (!isOutage(error)) return { kind: "invalid", reason: reasonOf(error) };
        warn(error);
        return UNAVAILABLE;
      }
    },
    close() {},
  };
}

function granted(payload: JWTPayload, profileClaim: string): AuthOutcome {
  // Sessions, rates and usage belong to the subject, so another claim must never take its place.
  const sub: unknown = payload.sub;
  if (typeof sub !== "string" || sub.trim() === "")
    return { kind: "invalid", reason: "The token's 'sub' is not a text, or is empty." };
  const profile = profileIn(payload[profileClaim]);
  if (profile === null)
    return { kind: "invalid", reason: `The token's '${profileClaim}' is not the name of one profile.` };
  const words = [...scopesIn(payload["scope"]), ...scopesIn(payload["scp"])];
  return {
    kind: "granted",
    principal: {
      // With the issuer, so that it cannot equal a name in the token file.
      subject: `${payload.iss ?? ""}#${sub}`,
      scopes: grantedScopes(words),
      expiresAt: (payload.exp ?? 0) * 1000,
      ...(profile === undefined ? {} : { profile }),
    },
  };
}

/** Undefined when the claim is absent, null when it is no name: then nobody knows what the caller may see. */
function profileIn(claim: unknown): string | undefined | null {
  if (claim === undefined || claim === null) return undefined;
  const [name, another] = Array.isArray(claim) ? (claim as readonly unknown[]) : [claim];
  return typeof name === "string" && isProfileName(name) && another === undefined ? name : null;
}

/** RFC 8414, then OpenID Connect; both forms of the address, because issuers with a path differ. */
async function discoverKeys(issuer: string): Promise<KeySet> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const addresses = new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]);
  const failures: string[] = [];
  for (const address of addresses) {
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const metadata: unknown = await response.json();
      return createRemoteJWKSet(keysAddress(metadata, issuer), { timeoutDuration: DISCOVERY_TIMEOUT_MS });
    } catch (error) {
      failures.push(`${address}: ${describeError(error)}`);
    }
  }
  throw new Error(failures.join("; "));
}

function keysAddress(metadata: unknown, issuer: string): URL {
  if (typeof metadata !== "object" || metadata === null) throw new Error("the metadata is not a JSON object");
  const { issuer: named, jwks_uri: keys } = metadata as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer) throw new Error(`the metadata names another issuer: ${String(named)}`);
  if (typeof keys !== "string" || !URL.canParse(keys)) throw new Error("the metadata has no jwks_uri");
  return new URL(keys);
}

function isOutage(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout) return true;
  // Any other error comes from the network.
  return !(error instanceof errors.JOSEError);
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "The token has expired.";
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The token's '${error.claim}' is not accepted.`;
  return "The token is not valid.";
}

function scopesIn(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ");
  return Array.isArray(claim) ? claim.filter((word): word is string => typeof word === "string") : [];
}
