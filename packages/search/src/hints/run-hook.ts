import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { HOOK_TARGETS, hookAnswer, isPlainName, parsePromptEvent, type SkillSuggestion } from "#agents";
import { mayHaveProjectFile } from "#config";
import { recordSuggestions } from "#usage";
import { expandHome, fingerprintAt, homeFolder, ownFolderIn } from "#util";
import type { RankedAnswer } from "../engine/rank/rank-skills.ts";
import { searchIndex } from "../engine/rank/rank-skills.ts";
import { isAscii } from "../engine/words/analyse.ts";
import {
  type HintHead,
  type HintSkill,
  type Hints,
  hintFiles,
  isUnchanged,
  parseHints,
} from "./hint-file.ts";

/** An event longer than this is not read: a prompt is text that somebody typed or pasted. */
const LARGEST_EVENT = 16 * 1024 * 1024;
const MOST_SUGGESTIONS = 2;
/** How many of the best skills are compared in full. With three times as many, 99 of 100 suggestions are the same. */
const RERANKED = 30;
/** Hints older than this are written again. Skills change rarely, and a changed folder is noticed at once. */
const LIFETIME_MS = 10 * 60_000;
/** The next refresh starts no sooner than this after the last, so that one that fails does not start with every prompt. */
const LEAST_MS_BETWEEN_REFRESHES = 10_000;

interface HookRun {
  readonly client: string;
  /** The flags of the command, which decide what is served. */
  readonly flags: readonly string[];
  /** `dist/cli.js`, which writes the hints again. */
  readonly script: string;
}

/**
 * `skills-mcp hook run`: reads the event of an agent from standard input and answers with the skills that fit the prompt, or
 * with nothing. It scans nothing: the hints of an earlier run have the index and every name, and whoever finds them old
 * starts a process that writes them again for the next prompt.
 */
export async function runHook({ client, flags, script }: HookRun): Promise<void> {
  const agent = HOOK_TARGETS.find(({ id }) => id === client);
  if (agent === undefined) return;
  const event = parsePromptEvent(await readInput());
  if (event === undefined) return;
  const home = homeOf(flags);
  const cwd = folderOf(event.cwd);
  const files = hintFiles(home, client, flags);
  const hasProjectFile = mayHaveProjectFile(cwd, home);
  const found = findHints(files, cwd, hasProjectFile);
  const hints = found === undefined ? undefined : readHints(found.file);
  const isValid = hints !== undefined && isAllowed(hints.head, hasProjectFile);
  const suggestions = isValid ? suggestionsFor(hints, event.prompt, found?.isOfFolder === true) : [];
  if (suggestions.length > 0) writeSync(1, `${hookAnswer(agent, event, suggestions)}\n`);
  if (isValid && hints.head.history && suggestions.length > 0)
    recordSuggestions(ownFolderIn(home), suggestions, client, Date.now);
  if (!isValid || found?.isOfFolder !== true || isOld(found.file, hints))
    refresh(files.forFolder(cwd), script, { client, flags, cwd });
}

/** Everything on standard input. Not through `process.stdin`, which takes longer to set up than to read. */
async function readInput(): Promise<string> {
  const parts: Buffer[] = [];
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (let size = 0; size <= LARGEST_EVENT && Date.now() < deadline; ) {
    const part = readPart();
    if (part === END) return Buffer.concat(parts).toString("utf8");
    if (part === undefined) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    else parts.push(part);
    size += part?.length ?? 0;
  }
  return "";
}

/** How long to wait for the event, which an agent writes at once. */
const LONGEST_WAIT_MS = 1_000;
const RETRY_MS = 2;
const END = Buffer.alloc(0);

/** Reads once. Undefined when there is nothing to read yet, which only some pipes report. */
function readPart(): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  try {
    const count = readSync(0, buffer, 0, buffer.length, null);
    return count === 0 ? END : buffer.subarray(0, count);
  } catch (error) {
    // Windows reports the end of a pipe as an error.
    return (error as NodeJS.ErrnoException).code === "EAGAIN" ? undefined : END;
  }
}

/** The home folder that the flags of a command name, or the user's. */
export function homeOf(flags: readonly string[]): string {
  const at = flags.findIndex((word) => word === "--user-dir" || word.startsWith("--user-dir="));
  const given = at === -1 ? undefined : (flags[at]?.split("=", 2)[1] ?? flags[at + 1]);
  return path.resolve(given === undefined ? homeFolder() : expandHome(given, homeFolder()));
}

/** Where the agent works; an agent that says nothing starts the hook there. */
function folderOf(given: string | undefined): string {
  if (given === undefined || !path.isAbsolute(given)) return process.cwd();
  // Links are resolved, because a process that is started in the folder sees its resolved name.
  return realpathSync.native(given);
}

/** Whether the files that decide which skills may be suggested are as they were when the hints were written. */
function isAllowed(head: HintHead, hasProjectFile: boolean): boolean {
  return head.hasProjectFile === hasProjectFile && isUnchanged(head.settings);
}

interface FoundHints {
  readonly file: string;
  /** False: the hints of another folder, of which only the skills that are the same everywhere count. */
  readonly isOfFolder: boolean;
}

function findHints(
  { folder, prefix, forFolder }: ReturnType<typeof hintFiles>,
  cwd: string,
  hasProjectFile: boolean,
): FoundHints | undefined {
  const own = forFolder(cwd);
  if (modifiedAt(own) !== undefined) return { file: own, isOfFolder: true };
  // A project's own settings may leave out skills that other folders have.
  if (hasProjectFile) return undefined;
  try {
    const others = readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && name.endsWith(".idx"))
      .map((name) => path.join(folder, name));
    const newest = others.sort((a, b) => (modifiedAt(b) ?? 0) - (modifiedAt(a) ?? 0))[0];
    return newest === undefined ? undefined : { file: newest, isOfFolder: false };
  } catch {
    return undefined;
  }
}

function modifiedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Synchronous: a thread for it would take longer to start. */
function readHints(file: string): Hints | undefined {
  try {
    return parseHints(readFileSync(file));
  } catch {
    return undefined;
  }
}

function suggestionsFor(hints: Hints, prompt: string, isOfFolder: boolean): readonly SkillSuggestion[] {
  const { head, index } = hints;
  const answer = searchIndex(index, prompt, {
    limit: MOST_SUGGESTIONS,
    byWords: RERANKED,
    synonyms: new Map(head.synonyms),
  });
  const chosen = worthSuggesting(answer);
  if (chosen.length === 0) return [];
  return chosen
    .map((id) => hints.find(id))
    .filter((skill) => skill !== undefined)
    .filter((skill) => isSuggestible(skill, isOfFolder))
    .map(([, name, , , isNative]) => ({ name, isNative }));
}

/**
 * Nobody asked, so the bar is higher than for a search. Of public prompts that a skill fits, 60 % are above it, and for 83 % of
 * those the right skill is suggested; of requests that no skill fits, 1 % are (docs/how-to/hooks.md).
 */
const LEAST_CONFIDENCE = 0.5;
const LEAST_WORDS = 3;
/** A second skill is suggested only if its score is at least this share of the first. */
const LEAST_SHARE_OF_BEST = 0.85;

/** The ids of the best results, if it is worth telling a model about them. */
export function worthSuggesting({
  verdict,
  confidence,
  results,
}: Pick<RankedAnswer, "verdict" | "confidence" | "results">): readonly string[] {
  const [best] = results;
  if (best === undefined || confidence < LEAST_CONFIDENCE || wordsIn(best.matched) < LEAST_WORDS) return [];
  return results
    .filter(({ score }) => score >= LEAST_SHARE_OF_BEST * best.score)
    .slice(0, verdict === "match" ? 1 : MOST_SUGGESTIONS)
    .map(({ id }) => id);
}

/** Scripts without spaces have about a word for two characters. */
function wordsIn(matched: readonly string[]): number {
  // Made here and not at the start: the pattern takes a while to compile, and most prompts do not need it.
  const isSpaced = (word: string): boolean =>
    isAscii(word) || !/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u.test(word);
  return matched.reduce((sum, word) => sum + (isSpaced(word) ? 1 : Math.ceil(word.length / 2)), 0);
}

/** Whether a skill's file is as it was: a changed one may be kept from models now. */
function isSuggestible([, name, file, fingerprint, , isProject]: HintSkill, isOfFolder: boolean): boolean {
  return (isOfFolder || !isProject) && isPlainName(name) && fingerprintAt(file) === fingerprint;
}

function isOld(file: string, { head }: Hints): boolean {
  return Date.now() - (modifiedAt(file) ?? 0) > LIFETIME_MS || !isUnchanged(head.places);
}

/** Starts a process that writes the hints for the next prompt. Nothing waits for it. */
function refresh(
  file: string,
  script: string,
  {
    client,
    flags,
    cwd,
  }: { readonly client: string; readonly flags: readonly string[]; readonly cwd: string },
): void {
  const mark = file.replace(/idx$/, "started");
  const now = Date.now();
  if (now - (modifiedAt(mark) ?? 0) < LEAST_MS_BETWEEN_REFRESHES) return;
  mkdirSync(path.dirname(mark), { recursive: true, mode: 0o700 });
  writeFileSync(mark, "", { mode: 0o600 });
  utimesSync(mark, now / 1000, now / 1000);
  const args = [script, "hook", "refresh", client, ...flags];
  // Loaded here: most prompts need no refresh, and this module takes a tenth of the whole time.
  const { spawn } = process.getBuiltinModule("node:child_process");
  spawn(process.execPath, args, { cwd, detached: true, stdio: "ignore", windowsHide: true })
    .on("error", () => {})
    .unref();
}
