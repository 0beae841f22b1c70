import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createLog } from "#util";
import { Refusal } from "#util/pure";
import { parseSourceAddress } from "../../src/address/source-address.ts";
import type { FetchedTree } from "../../src/fetch/fetch-context.ts";
import { type FetchOptions, fetchSource } from "../../src/fetch/fetch-source.ts";
import { FETCH_LIMITS, type FetchLimits } from "../../src/fetch/limits.ts";

/** A clean machine: a project, a home folder and a staging folder, removed when the test ends. */
export function createMachine(environment: NodeJS.ProcessEnv = {}) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "fetch-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folders = { cwd: path.join(root, "project"), home: path.join(root, "home") };
  const stagingFolder = path.join(root, "staging");
  const logged: string[] = [];
  const progress: string[] = [];
  const options: FetchOptions = {
    stagingFolder,
    ...folders,
    environment: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", ...environment },
    log: createLog((_level, message) => logged.push(message), "debug"),
    onProgress: (text) => progress.push(text),
  };
  return {
    root,
    ...folders,
    options,
    logged,
    progress,
    fetch: (
      source: string,
      more: Partial<FetchOptions> = {},
      limits: Partial<FetchLimits> = {},
    ): Promise<FetchedTree> =>
      fetchSource(parseSourceAddress(source), { ...options, ...more }, { ...FETCH_LIMITS, ...limits }),
    /** What earlier fetches have left. */
    leftovers: (): readonly string[] => {
      try {
        return readdirSync(stagingFolder);
      } catch {
        return [];
      }
    },
  };
}

/** The refusal that a promise ends with. */
export async function refusalOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refusal) || error.detail.code !== "cannot-fetch")
    throw new Error(`expected a refusal, got ${String(error)}`, { cause: error });
  return { message: error.message, reason: error.detail.reason };
}

/** The files below a folder with their content, each with whether it may be run. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .toSorted();
  return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
}

export const SKILL = "---\nname: pdf\ndescription: Reads PDF files.\n---\n\nRead them.\n";
