import type { Log } from "../../system/log.ts";
import type { HttpAuth } from "../server/create-http-server.ts";
import type { TokenVerifier } from "./principal.ts";
import { openTokenFile } from "./token-file.ts";

export interface AuthSettings {
  readonly tokenFile: string | undefined;
  readonly oauth: { readonly issuer: string; readonly audience: string } | undefined;
  readonly log: Log;
}

/** Opens every way to say who one is; undefined when none was set up. */
export async function openAuth({
  tokenFile,
  oauth,
  log,
}: AuthSettings): Promise<(HttpAuth & { readonly close: () => void }) | undefined> {
  const listeners = new Set<(subjects: ReadonlySet<string>) => void>();
  const onRevoked = (subjects: ReadonlySet<string>): void => {
    for (const listener of listeners) listener(subjects);
  };
  const verifiers: TokenVerifier[] = [];
  if (tokenFile !== undefined) verifiers.push(await openTokenFile({ file: tokenFile, log, onRevoked }));
  if (oauth !== undefined) {
    // Loaded on demand: most servers have a file of tokens, or none.
    const { createJwtVerifier } = await import("./jwt.ts");
    verifiers.push(createJwtVerifier({ ...oauth, log }));
  }
  if (verifiers.length === 0) return undefined;
  return {
    verifiers,
    issuer: oauth?.issuer,
    onRevoked: (listener) => void listeners.add(listener),
    close() {
      for (const verifier of verifiers) verifier.close();
    },
  };
}
