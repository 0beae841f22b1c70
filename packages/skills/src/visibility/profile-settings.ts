/** What whoever is served a profile sees and may do. A key can only restrict that; one that is absent restricts nothing. */
export interface ProfileSettings {
  /** Filters, as of `--include` and `--exclude`. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Of what comes from repositories, only what comes from these. */
  readonly repositories?: readonly string[] | undefined;
  /** Of the server's tools, only these: sets or names. */
  readonly tools?: readonly string[] | undefined;
  readonly description_budget?: number | undefined;
  readonly instructions_budget?: number | undefined;
  /** False: no script is run. */
  readonly scripts?: boolean | undefined;
}
