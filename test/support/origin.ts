import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

type OriginFile = string | { readonly link: string } | { readonly submodule: string };

/** A bare repository that a test commits to, by the real git. */
export interface Origin {
  readonly folder: string;
  readonly fileUrl: string;
  /** Commits exactly these files and returns the commit. `orphan` replaces the branch's history, as a force-push does. */
  commit(
    files: Readonly<Record<string, OriginFile>>,
    options?: { readonly branch?: string; readonly orphan?: boolean },
  ): string;
  git(...args: readonly string[]): string;
}

const IDENTITY = "Someone <someone@example.com>";
const ENVIRONMENT = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

export function createOrigin(parent: string, name = "team-skills.git"): Origin {
  const folder = path.join(parent, name);
  mkdirSync(path.join(folder, "objects"), { recursive: true });
  mkdirSync(path.join(folder, "refs"));
  writeFileSync(path.join(folder, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(path.join(folder, "config"), "[core]\n\tbare = true\n\trepositoryformatversion = 0\n");
  let count = 0;
  const run = (args: readonly string[], input = "") =>
    execFileSync("git", ["--git-dir", folder, ...args], {
      input,
      env: ENVIRONMENT,
      stdio: ["pipe", "pipe", "pipe"],
    })
      .toString()
      .trim();
  const heads = new Set<string>();

  return {
    folder,
    fileUrl: pathToFileURL(folder).href,
    commit(files, { branch = "main", orphan = false } = {}) {
      const ref = `refs/heads/${branch}`;
      const lines = [
        `commit ${ref}`,
        "mark :1",
        `committer ${IDENTITY} ${1_700_000_000 + ++count} +0000`,
        "data 0",
      ];
      if (heads.has(branch) && !orphan) lines.push(`from ${ref}^0`);
      heads.add(branch);
      lines.push("deleteall");
      for (const [file, content] of Object.entries(files)) {
        if (typeof content === "object" && "submodule" in content) {
          lines.push(`M 160000 ${content.submodule} ${file}`);
          continue;
        }
        const text = typeof content === "string" ? content : content.link;
        const mode = typeof content === "string" ? "100644" : "120000";
        lines.push(`M ${mode} inline ${file}`, `data ${Buffer.byteLength(text)}`, text);
      }
      return run(["fast-import", "--quiet", "--force"], `${lines.join("\n")}\nget-mark :1\n`);
    },
    git: (...args) => run(args),
  };
}
