/** What a caller may do. Each one includes those before it. */
export const SCOPES = ["skills:read", "skills:run", "skills:admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who sent a request, and what they may do. */
export interface Principal {
  /** Undefined where nobody needs to say who they are. */
  readonly subject: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  /** Milliseconds since 1970; streams end then. Undefined: never. */
  readonly expiresAt: number | undefined;
}

/** Everyone, on a server that only this machine can reach. */
export const ANYONE: Principal = { subject: undefined, scopes: new Set(SCOPES), expiresAt: undefined };

/** Whoever may administer may run, and whoever may run may read. Words that are no scope of ours are left out. */
export function grantedScopes(words: readonly string[]): ReadonlySet<Scope> {
  const highest = Math.max(...words.map((word) => SCOPES.findIndex((scope) => scope === word)), -1);
  return new Set(SCOPES.slice(0, highest + 1));
}

export type Outcome =
  | { readonly kind: "granted"; readonly principal: Principal }
  /** No credentials came with the request. */
  | { readonly kind: "anonymous" }
  | { readonly kind: "invalid"; readonly reason: string }
  /** Whether the credentials are good cannot be found out now. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** Decides what a bearer token is worth. */
export interface TokenVerifier {
  /** Undefined: this verifier does not know the token, another one may. */
  verify(token: string): Promise<Outcome | undefined>;
  close(): void;
}
