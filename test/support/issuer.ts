import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { onTestFinished } from "vitest";

export interface Issuer {
  readonly url: string;
  sign(claims: TokenClaims): Promise<string>;
  /** From now on nobody answers. */
  goAway(): Promise<void>;
}

interface TokenClaims {
  /** Null: none. */
  readonly sub?: unknown;
  /** Claims of other names. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly scope?: string;
  readonly audience?: string;
  readonly issuer?: string;
  readonly expires?: string | number;
  /** Signed by somebody else. */
  readonly forged?: boolean;
}

/** A real authorization server, as far as a resource server sees one. Closed when the test ends. */
export async function startIssuer(): Promise<Issuer> {
  const [own, other] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "one", alg: "ES256", use: "sig" };
  const server = createServer((request, response) => {
    const answers: Readonly<Record<string, object>> = {
      "/.well-known/openid-configuration": { issuer: url, jwks_uri: `${url}/keys` },
      "/keys": { keys: [jwk] },
    };
    const answer = answers[request.url ?? ""];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const goAway = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(goAway);
  return {
    url,
    goAway,
    sign({
      sub = "ann",
      more = {},
      scope,
      audience = "skills",
      issuer = url,
      expires = "5m",
      forged = false,
    }) {
      const claims = { ...more, ...(scope === undefined ? {} : { scope }), ...(sub === null ? {} : { sub }) };
      return new SignJWT(claims as JWTPayload)
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .setAudience(audience)
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(forged ? other.privateKey : own.privateKey);
    },
  };
}
