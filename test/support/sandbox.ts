import { existsSync, mkdirSync, mkdtempSync, realpathSync, statfsSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A clean machine for one test: an empty home folder and an empty project. */
export interface Sandbox {
  readonly home: string;
  readonly project: string;
  /** Writes a file below the sandbox and returns its path; folders are made as needed. */
  write(file: string, content: string | Uint8Array): string;
  /** Writes a skill folder such as `project/.claude/skills/pdf`; its name is the folder's unless given. */
  skill(
    folder: string,
    fields?: { readonly name?: string; readonly description?: string; readonly body?: string },
  ): string;
  path(...parts: string[]): string;
}

/** In memory where the system has room for it: making and removing files there takes a tenth of the time. */
export const MEMORY_FOLDER = hasRoom("/dev/shm") ? "/dev/shm" : tmpdir();
/** For scripts in a sandbox and links out of a root: both are refused in a folder of the system, which `/dev/shm` is. */
export const DISK_FOLDER = tmpdir();

/** A container has 64 MiB of it unless told otherwise, which the tests of large libraries would fill. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 1024 ** 3;
}

/** Registers what ends something: with the test, or with a group of tests that share it. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** For what the tests of a `describe` share: it ends after the last of them. */
export function atEndOfGroup(): AtEnd {
  const ends: Parameters<AtEnd>[0][] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return (end) => void ends.push(end);
}

export function createSandbox(base = MEMORY_FOLDER, atEnd: AtEnd = onTestFinished): Sandbox {
  // Resolved, because the temporary folder itself may be a link.
  const root = realpathSync(mkdtempSync(path.join(base, "skills-mcp-")));
  // Not rmSync: for a folder that is not empty it tries again without another look at what is in it.
  atEnd(() => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const sandbox: Sandbox = {
    home: path.join(root, "home"),
    project: path.join(root, "project"),
    path: (...parts) => path.join(root, ...parts),
    write(file, content) {
      const target = path.join(root, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, content);
      return target;
    },
    skill(folder, { name = path.basename(folder), description, body = `# ${name}\n` } = {}) {
      return sandbox.write(
        `${folder}/SKILL.md`,
        skillText(name, description ?? `Does ${name} things.`, body),
      );
    },
  };
  mkdirSync(sandbox.home);
  mkdirSync(sandbox.project);
  return sandbox;
}

export function skillText(name: string, description: string, body = ""): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}
