import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Section } from "../bench.ts";
import { interleave, timed } from "../measure.ts";
import { rowOf } from "../report/row.ts";
import { runToEnd } from "../stdio-client.ts";

const SKILLS = 1_000;
const FLOOR = "git clone --depth 1, and a copy of its files";

/** `add` of every skill of a repository, each time on a new machine. */
export const measureInstall: Section = async ({ options: { rounds, bin }, workspace, progress }) => {
  progress("install");
  const repo = path.join(workspace.root, "repository");
  cpSync(workspace.readOnlyCorpus(SKILLS).dir, path.join(repo, "skills"), { recursive: true });
  git(repo, "init", "-q");
  git(repo, "add", "-A");
  git(repo, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "skills");
  const url = pathToFileURL(repo).href;
  let folders = 0;
  const newFolder = (): string => {
    const folder = path.join(workspace.root, `installed-${folders++}`);
    mkdirSync(folder);
    return folder;
  };
  const add = {
    name: "add, 1,000 skills",
    measure: () => {
      const machine = { ...workspace.withNewHome(), project: newFolder() };
      return timed(() => runToEnd([bin, "add", url, "--all"], machine));
    },
  };
  const clone = {
    name: FLOOR,
    measure: () => {
      const folder = newFolder();
      return timed(async () => {
        git(folder, "clone", "-q", "--depth", "1", url, "clone");
        cpSync(path.join(folder, "clone", "skills"), path.join(folder, "skills"), { recursive: true });
      });
    },
  };
  const samples = await interleave(rounds, [add, clone]);
  return [
    rowOf("Install", {
      id: `install.add.${SKILLS}`,
      name: add.name,
      unit: "ms",
      floorName: FLOOR,
      samples: { ours: samples.get(add.name) ?? [], floor: samples.get(FLOOR) ?? [] },
      limit: 1.5,
    }),
  ];
};

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, {
    cwd,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    stdio: "ignore",
  });
}
