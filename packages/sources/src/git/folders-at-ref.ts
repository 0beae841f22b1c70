import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Refusal } from "#util/pure";
import { SyncFailure } from "../sync-failure.ts";
import { isRefName } from "./repo-address.ts";
import { createGitRunner } from "./run-git.ts";

const LIMIT_MS = 60_000;

/** Without settings that would run something: a plain copy of files needs none of them. */
const QUIET = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_COUNT: "3",
  ...{ GIT_CONFIG_KEY_0: "core.hooksPath", GIT_CONFIG_VALUE_0: "/dev/null" },
  ...{ GIT_CONFIG_KEY_1: "core.fsmonitor", GIT_CONFIG_VALUE_1: "false" },
  ...{ GIT_CONFIG_KEY_2: "protocol.allow", GIT_CONFIG_VALUE_2: "never" },
};

/**
 * Hands the folders over as a commit of their repository has them, in a temporary folder that is removed afterwards. Neither
 * the working tree nor the index of the repository is touched.
 */
export async function withFoldersAt<T>(
  ref: string,
  folders: readonly string[],
  use: (folders: readonly string[]) => Promise<T>,
): Promise<T> {
  if (!isRef(ref)) throw badRef(`--diff takes a commit, a branch or a tag of git, not '${ref}'.`);
  const temporary = await realpath(await mkdtemp(path.join(tmpdir(), "skills-mcp-eval-")));
  try {
    const copies: string[] = [];
    for (const [number, folder] of folders.entries()) {
      copies.push(await copyFolder(ref, await realpath(folder), path.join(temporary, String(number))));
    }
    return await use(copies);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** `HEAD~1`, `main@{1}` and the like as well; nothing that git would take for an option. */
function isRef(ref: string): boolean {
  return isRefName(ref) || /^[A-Za-z0-9][\w./~^@{}-]*$/.test(ref);
}

async function copyFolder(ref: string, folder: string, target: string): Promise<string> {
  const git = createGitRunner({ shown: folder, tokenFrom: undefined, redact: (text) => text });
  const run = async (args: readonly string[], cwd: string, input?: Uint8Array): Promise<string> => {
    const environment = { ...process.env, ...QUIET, GIT_INDEX_FILE: `${target}.index` };
    const command = { args, environment, cwd, timeoutMs: LIMIT_MS, input };
    return (await git.run(command)).toString("utf8");
  };
  const ask = (question: string, args: readonly string[], cwd: string): Promise<string> =>
    run(["rev-parse", ...args], cwd).then(
      (answer) => answer.trimEnd(),
      (error: unknown) => {
        if (!(error instanceof SyncFailure) || error.code === "git-missing") throw error;
        throw badRef(`--diff: ${question}.`, error);
      },
    );
  try {
    const top = await realpath(
      await ask(`${folder} is not in a git repository`, ["--show-toplevel"], folder),
    );
    const verify = ["--verify", "--end-of-options", `${ref}^{commit}`];
    const commit = await ask(`the repository of ${folder} has no commit '${ref}'`, verify, top);
    await run(["read-tree", commit], top);
    const below = path.relative(top, folder).split(path.sep).join("/");
    const files = await run(["ls-files", "-z", ...(below === "" ? [] : ["--", below])], top);
    const prefix = `${target}/`;
    await run(["checkout-index", "-z", "--stdin", `--prefix=${prefix}`], top, Buffer.from(files));
    return path.join(target, below);
  } catch (error) {
    if (!(error instanceof SyncFailure)) throw error;
    throw badRef(`--diff: git cannot read '${ref}' for ${folder}: ${error.message}`, error);
  }
}

function badRef(message: string, cause?: unknown): Refusal {
  return new Refusal(message, { code: "bad-usage", flag: "--diff" }, { cause });
}
