/** What Wine, or Windows itself, lacks. Each reason stands in docs/platforms.md with the tests that it keeps from running there. */
const LACKS = {
  git: "git for Windows cannot be had under Wine",
} as const;

interface WindowsSkip {
  /** A file of test/e2e, without its ending. */
  readonly file: string;
  /** The tests whose full names contain one of these texts; all of the file unless given. */
  readonly tests?: readonly string[];
  readonly lacks: keyof typeof LACKS;
}

/** Every test that `npm run check:windows` does not run. */
const WINDOWS_SKIPS: readonly WindowsSkip[] = [];

/** Why a test is not run on Windows. */
export function whySkipped(file: string, fullName: string): string | undefined {
  const skip = WINDOWS_SKIPS.find(
    (one) => one.file === file && (one.tests?.some((text) => fullName.includes(text)) ?? true),
  );
  return skip && LACKS[skip.lacks];
}
