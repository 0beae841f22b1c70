/** The types of the API that say what the sender may do; like `wire.ts`, it imports nothing. */
export interface SessionAnswer {
  readonly version: string;
  readonly scopes: readonly string[];
  /** What starts the server's program: in a configuration, and on a terminal. */
  readonly start: { readonly command: readonly string[]; readonly shown: string };
  /** How often something that pages show has changed; the event \`ready\` has the number too. */
  readonly changes: number;
  /** Some skills are served only once they are approved. */
  readonly review?: true;
  /** The profiles in force and how many skills they leave out, for administrators. */
  readonly inForce?: { readonly profiles: readonly string[]; readonly leftOut: number };
  /** The home folder of whoever started the server: pages show `~` for it. */
  readonly home?: string;
  /** Who the token of the sender belongs to, and the profile that it is for. */
  readonly caller?: string;
  readonly profile?: string;
  /** True: changes need the key of the address that `serve` prints. */
  readonly needsKey?: boolean;
}
