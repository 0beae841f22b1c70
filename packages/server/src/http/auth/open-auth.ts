import type { Log } from "#util";
import type { TokenVerifier } from "./authenticate.ts";
import { type KnownNames, openTokenFile } from "./token-file.ts";

export interface AuthSettings {
  readonly tokenFile: string | undefined;
  readonly oauth:
    | { readonly issuer: string; readonly audience: string; readonly profileClaim?: string }
    | undefined;
  /** The profiles that a token file may name; any when absent. */
  readonly profiles?: KnownNames;
  readonly log: Log;
}

export interface HttpAuth {
  readonly verifiers: readonly TokenVerifier[];
  readonly issuer: string | undefined;
  /** Calls back with the subjects whose credentials were revoked. */
  onRevoked(listener: (subjects: ReadonlySet<string>) => void): void;
  /** Reads the token file again. A wrong one is logged, and the previous tokens stay. */
  reload(): Promise<void>;
  close(): void;
}

/** Opens what verifies tokens; undefined when authentication is not configured. */
export async function openAuth({
  tokenFile,
  oauth,
  profiles,
  log,
}: AuthSettings): Promise<HttpAuth | undefined> {
  const listeners = new Set<(subjects: ReadonlySet<string>) => void>();
  const onRevoked = (subjects: ReadonlySet<string>): void => {
    for (const listener of listeners) listener(subjects);
  };
  const verifiers: TokenVerifier[] = [];
  const tokens =
    tokenFile === undefined ? undefined : await openTokenFile({ file: tokenFile, profiles, log, onRevoked });
  if (tokens !== undefined) verifiers.push(tokens);
  if (oauth !== undefined) {
    // Loaded on demand: most servers have a token file, or no authentication.
    const { createJwtVerifier } = await import("./jwt.ts");
    verifiers.push(createJwtVerifier({ ...oauth, log }));
  }
  if (verifiers.length === 0) return undefined;
  return {
    verifiers,
    issuer: oauth?.issuer,
    onRevoked: (listener) => void listeners.add(listener),
    reload: async () => tokens?.reload(),
    close() {
      for (const verifier of verifiers) verifier.close();
    },
  };
}
