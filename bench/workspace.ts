import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type WrittenSkill, writeCorpus } from "./corpus.ts";
import { keptCorpus } from "./kept-corpus.ts";

export interface Corpus {
  readonly dir: string;
  readonly skills: readonly WrittenSkill[];
}

/** A clean machine: an empty home folder, an empty project, and skills only where they were asked for. */
export interface Workspace {
  readonly root: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A folder with so many skills, to do with as one likes; made once for each number. */
  corpus(count: number): Corpus;
  /** The same skills, only to be read: large numbers of them are kept for the next run. */
  readOnlyCorpus(count: number): Corpus;
  /** The same machine with a home folder of its own, that nothing was ever written to. */
  withNewHome(): Workspace;
}

/** Removed with everything in it when the process ends, however it ends. */
export function createWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "skills-mcp-bench-")));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  const project = path.join(root, "project");
  mkdirSync(project);
  const corpora = new Map<number, Corpus>();
  const kept = new Map<number, Corpus>();
  let homes = 0;

  const withNewHome = (): Workspace => {
    const home = path.join(root, `home-${homes++}`);
    mkdirSync(home);
    return {
      root,
      project,
      environment: { HOME: home, USERPROFILE: home, PATH: process.env["PATH"] ?? "" },
      corpus(count) {
        const dir = path.join(root, `skills-${count}`);
        const corpus = corpora.get(count) ?? { dir, skills: writeCorpus(dir, count) };
        corpora.set(count, corpus);
        return corpus;
      },
      readOnlyCorpus(count) {
        const corpus = kept.get(count) ?? keptCorpus(count);
        kept.set(count, corpus);
        return corpus;
      },
      withNewHome,
    };
  };
  return withNewHome();
}
