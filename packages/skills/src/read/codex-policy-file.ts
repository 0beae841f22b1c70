import type { Stats } from "node:fs";
import {
  type Awaitable,
  type Disk,
  errorCode,
  type Fingerprint,
  fingerprintOf,
  mayChangeUnseen,
  NotOpened,
  readInside,
  whenReady,
  withOpenFile,
} from "#util";
import { below } from "../scan/listing.ts";
import type { FoundFile } from "../scan/scan-state.ts";
import { type CodexPolicy, POLICY_FILE, POLICY_FOLDER, parseCodexPolicy } from "../skill/invocation.ts";
import { unreadableFile } from "./read-skill-file.ts";

/** The settings of Codex beside a skill, and what their file was like when it was read. */
export interface PolicyState {
  readonly policy: CodexPolicy;
  /** The fingerprint of the file when it was read; undefined when it has to be read again. */
  readonly fingerprint: Fingerprint | undefined;
}

/** Real ones have a few hundred bytes. */
const LARGEST = 64 * 1024;

interface PolicyReading {
  readonly disk: Disk;
  readonly now: () => number;
}

/** Reads `agents/openai.yaml` of a found skill that has one. The very same value when the file has not changed. */
export function readPolicyState(
  { realDir, settings }: FoundFile,
  known: PolicyState | undefined,
  reading: PolicyReading,
): Awaitable<PolicyState | undefined> {
  if (settings === undefined) return undefined;
  if (settings === "link") return readLink(realDir, known);
  const file = below(below(realDir, POLICY_FOLDER), POLICY_FILE);
  if (known?.fingerprint === undefined) return readFile(file, known, reading);
  return whenReady(reading.disk.lstat(file), (stats) =>
    stats !== undefined && fingerprintOf(stats) === known.fingerprint
      ? known
      : readFile(file, known, reading),
  );
}

async function readFile(
  file: string,
  known: PolicyState | undefined,
  { disk, now }: PolicyReading,
): Promise<PolicyState | undefined> {
  const startedAt = now();
  const certain = (stats: Stats) => (mayChangeUnseen(stats, startedAt) ? undefined : fingerprintOf(stats));
  try {
    return await withOpenFile(
      file,
      async ({ stats, readStart }) => {
        if (!stats.isFile()) return refused("It is not a regular file", certain(stats));
        if (stats.size > LARGEST) return refused(TOO_LARGE, certain(stats));
        const text = (await readStart(stats.size)).toString("utf8");
        return reuse({ policy: parseCodexPolicy(text), fingerprint: certain(stats) }, known);
      },
      disk,
    );
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    return { policy: problem(unreadableFile(error).message), fingerprint: undefined };
  }
}

/** What a link leads to may change anywhere, so it is read each time; it must lie in the skill's folder. */
async function readLink(realDir: string, known: PolicyState | undefined): Promise<PolicyState | undefined> {
  const wanted = { root: realDir, file: below(POLICY_FOLDER, POLICY_FILE) };
  try {
    const text = (await readInside(wanted, LARGEST)).toString("utf8");
    return reuse({ policy: parseCodexPolicy(text), fingerprint: undefined }, known);
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    // The scan reports a broken link itself.
    if (error.reason === "missing") return undefined;
    return refused(
      error.reason === "too-large" ? TOO_LARGE : "It is a link to something that is not a file of the skill",
      undefined,
    );
  }
}

const TOO_LARGE = "File is larger than 64 KiB";

function refused(reason: string, fingerprint: Fingerprint | undefined): PolicyState {
  return { policy: problem(`${reason}, so it was ignored.`), fingerprint };
}

function problem(message: string): CodexPolicy {
  return { allowsImplicit: true, warnings: [{ code: "invocation-field", message }] };
}

/** Read again but equal: the old value stays, so that everything built from it stays too. */
function reuse(state: PolicyState, known: PolicyState | undefined): PolicyState {
  if (known === undefined || JSON.stringify(known.policy) !== JSON.stringify(state.policy)) return state;
  return known.fingerprint === state.fingerprint ? known : { ...state, policy: known.policy };
}
