/** What Wine, or Windows itself, lacks. docs/reference/platforms.md has each reason with the tests that it keeps from running. */
const LACKS = {
  links: "Wine makes no links, and shows those of Linux as what they lead to",
  modes: "files on Windows have no modes",
  signals: "Windows has no signals: a process is ended at once",
  pipes: "named pipes, sockets and devices are no files on Windows",
  readers: "Wine does not tell a process that nobody reads its output any more",
  names: "no name on Windows has line breaks, control characters or bytes that are not text",
  programs:
    "scripts and programs for a shell of Linux do not start on Windows, and Git's bash cannot be had under Wine",
  sandbox: "Windows has no sandbox for scripts",
  processes: "the test looks at processes of Linux, or runs them as another user",
  terminal: "Wine has no terminal that a test can type into",
  time: "a start under Wine takes longer than the half second that a handshake waits for the first scan",
  length: "Wine does not know the real path of a folder with more than 260 characters",
  node: "the test starts versions of Node for Linux",
} as const;

interface WindowsSkip {
  /** A file of test/e2e, without its ending. */
  readonly file: string;
  /** The tests whose full names contain one of these texts; all of the file unless given. */
  readonly tests?: readonly string[];
  readonly lacks: keyof typeof LACKS;
}

/** Every test that does not run on Windows. */
export const WINDOWS_SKIPS: readonly WindowsSkip[] = [
  { file: "action", tests: ["the GitHub action", "the pre-commit hooks"], lacks: "programs" },
  { file: "approve", tests: ["a script that nobody approved"], lacks: "programs" },
  { file: "approve", tests: ["a rule about a folder holds where a link leads"], lacks: "links" },
  { file: "bad-input", tests: ["a FIFO, a socket"], lacks: "pipes" },
  { file: "bad-input", tests: ["symlinked folders are followed"], lacks: "links" },
  { file: "bad-input", tests: ["not UTF-8 gets a line"], lacks: "names" },
  { file: "bad-input", tests: ["permission denied"], lacks: "processes" },
  { file: "broken-settings", tests: ["that may not be read is named"], lacks: "modes" },
  {
    file: "client-lists",
    tests: [
      "2026-07-28 era > Codex since 0.169 reads",
      "2026-07-28 era > an unknown client reads",
      "doctor --client prints what",
    ],
    lacks: "time",
  },
  { file: "code-cache", tests: ["for its owner alone", "where another user could write"], lacks: "modes" },
  { file: "eval", tests: ["gives the prompts to an agent"], lacks: "programs" },
  {
    file: "git-config",
    tests: ["does not choose runners or endpoints", "that arrives with a refresh counts"],
    lacks: "programs",
  },
  {
    file: "hidden-files",
    tests: ["get_skill inlines none, get_asset and run_script", "which declared files of a library"],
    lacks: "links",
  },
  {
    file: "hostile-content",
    tests: ["a newline in a folder name", "--json prints no raw C1"],
    lacks: "names",
  },
  { file: "hostile-content", tests: ["that another user may write"], lacks: "modes" },
  {
    file: "http",
    tests: ["ends on SIGTERM", "ends on SIGINT", "a second signal does not wait"],
    lacks: "signals",
  },
  { file: "http", tests: ["a pipe of tokens"], lacks: "pipes" },
  { file: "http", tests: ["--open opens the dashboard"], lacks: "programs" },
  { file: "http", tests: ["keeps it for the operator alone"], lacks: "modes" },
  {
    file: "install",
    tests: ["links into an agent's folder", "leaves links alone"],
    lacks: "links",
  },
  {
    file: "install-harm",
    tests: ["a source never takes over", "the links that add --agent made", "real folders come before"],
    lacks: "links",
  },
  {
    file: "install-keeps",
    tests: ["keeps a link in the place", "a link in the place of a folder", "a skill with a link loop"],
    lacks: "links",
  },
  { file: "library-api", tests: ["the example of the page serves"], lacks: "signals" },
  {
    file: "library-bad-scripts",
    tests: ["is ended whole", "output over 64 MiB", "invalid UTF-8 in an output"],
    lacks: "programs",
  },
  { file: "library-events", tests: ["each call is one event"], lacks: "programs" },
  { file: "library-run-script", lacks: "programs" },
  {
    file: "library-sandbox",
    tests: ["scripts in a sandbox", "run_script on", "cannot relax how", "scripts without a sandbox"],
    lacks: "sandbox",
  },
  { file: "library-git", tests: ["names no runner and no endpoint"], lacks: "programs" },
  { file: "library-network", tests: ["seed 004 §8.4"], lacks: "sandbox" },
  {
    file: "library-security",
    tests: [
      "Declaration required",
      "No shell",
      "Env var args only",
      "Timeout",
      "Output limits",
      "No stdin",
      "Audit trail",
    ],
    lacks: "programs",
  },
  { file: "library-tools", tests: ["get_skill and list_skills answer the same"], lacks: "programs" },
  { file: "output-schemas", tests: ["every answer with data"], lacks: "programs" },
  { file: "old-node", lacks: "node" },
  {
    file: "protocol",
    tests: ["a signal before the first list", "handle SIGINT", "handle SIGTERM"],
    lacks: "signals",
  },
  { file: "protocol", tests: ["a client that dies without a word"], lacks: "readers" },
  { file: "publish", tests: ["takes this project's skills"], lacks: "links" },
  { file: "read-only-home", lacks: "modes" },
  { file: "read-skill-file", tests: ["a wrong path or position"], lacks: "links" },
  { file: "reload", tests: ["SIGHUP reads"], lacks: "signals" },
  { file: "resources", tests: ["every file of every skill"], lacks: "links" },
  { file: "skill-answer", tests: ["ends with the bundled files"], lacks: "names" },
  { file: "skills-extension", tests: ["publishes every skill"], lacks: "links" },
  { file: "start", tests: ["the second start is answered from the first one"], lacks: "modes" },
  { file: "stdio-memory", lacks: "processes" },
  { file: "surroundings", tests: ["a working folder that was deleted"], lacks: "programs" },
  { file: "surroundings", tests: ["an output that cannot be written"], lacks: "pipes" },
  { file: "telemetry", tests: ["stdio > 2026-07-28"], lacks: "time" },
  { file: "telemetry", tests: ["scripts and fetches are children"], lacks: "programs" },
  {
    file: "telemetry",
    tests: ["that is away costs one line", "nobody asks for it", "it is disabled"],
    lacks: "processes",
  },
  { file: "terminal", tests: ["on a terminal"], lacks: "terminal" },
  { file: "usage-events", tests: ["tell of every use"], lacks: "programs" },
  { file: "usage-history", lacks: "programs" },
  { file: "usage-shutdown", tests: ["(SIGTERM)"], lacks: "signals" },
  { file: "usage-shutdown", tests: ["ends a script that takes no notice"], lacks: "programs" },
  { file: "windows-paths", tests: ["more than 300 characters deep"], lacks: "length" },
  { file: "words", tests: ["the picker of add"], lacks: "terminal" },
  { file: "words", tests: ["is every agent on the machine"], lacks: "links" },
];

/** Why a test is not run on Windows. */
export function whySkipped(file: string, fullName: string): string | undefined {
  const skip = WINDOWS_SKIPS.find(
    (one) => one.file === file && (one.tests?.some((text) => fullName.includes(text)) ?? true),
  );
  return skip && LACKS[skip.lacks];
}

/** The rows of the table in docs/reference/platforms.md. */
export function skipsTable(): string {
  const rows = Object.entries(LACKS).map(([lacks, why]) => {
    const files = WINDOWS_SKIPS.filter((skip) => skip.lacks === lacks);
    return `| ${why} | ${files.map(({ file, tests }) => `${file}${tests === undefined ? "" : `: ${tests.join("; ")}`}`).join("<br>")} |\n`;
  });
  return ["| reason | file of `test/e2e`: tests |\n| --- | --- |\n", ...rows].join("");
}
