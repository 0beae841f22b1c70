interface Source {
  /** From the root of the repository, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** What one source file breaks, as lines for people. */
export function violationsIn(
  source: Source,
  declaredIn: (specifier: string, name: string) => string,
): readonly string[];
