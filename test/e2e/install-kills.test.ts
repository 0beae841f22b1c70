import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { spawnBin } from "../support/bin.ts";
import { printFigures } from "../support/figures.ts";
import { runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

/** `node scripts/check-install.mjs` sets more. */
const KILLS = Number(process.env["SKILLS_MCP_INSTALL_KILLS"] ?? 4);
const SKILLS = Array.from({ length: 8 }, (_, index) => `skill-${index}`);

/** All files of a skill carry the version of the source, so that a mixture shows. */
function publish({ write }: Sandbox, version: number): void {
  for (const name of SKILLS) {
    const lines = [`version ${version}`, ...Array.from({ length: 20 }, (_, index) => `line ${index}`)];
    write(`source/skills/${name}/SKILL.md`, skillText(name, `Does ${name}.`, `${lines.join("\n")}\n`));
    for (const file of ["references/a.md", "references/b.md"])
      write(`source/skills/${name}/${file}`, `version ${version}\n`);
  }
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The versions that the files of an installed skill have: one, or the skill is half of each. */
function versionsOf(folder: string): readonly string[] {
  const texts = ["SKILL.md", "references/a.md", "references/b.md"].map((file) =>
    existsSync(path.join(folder, file)) ? readFileSync(path.join(folder, file), "utf8") : "",
  );
  return [...new Set(texts.map((text) => /version (\d+)/.exec(text)?.[1] ?? "missing"))];
}

interface Verified {
  readonly skills: readonly {
    readonly name: string;
    readonly state: string;
    readonly files?: readonly string[];
  }[];
}

/** As short as a timer can be: whoever looked without pause would take the processor from what is killed. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1));

test(`${KILLS} kills during add, update and sync: no half skill, the lock and the disk agree, no edit is lost`, {
  timeout: 60_000 + KILLS * 5_000,
}, async () => {
  const sandbox = createSandbox();
  const { project, home } = sandbox;
  const installed = (name: string) => path.join(project, ".agents", "skills", name);
  const trash = path.join(home, ".skills-mcp", "trash");
  const journals = path.join(home, ".skills-mcp", "targets");
  const edits = new Map<string, string>();
  const figures = { killed: 0, whileApplying: 0, ended: 0 };
  let version = 0;

  const commands: readonly { readonly args: readonly string[]; prepare(): void }[] = [
    {
      args: ["update"],
      prepare: () => publish(sandbox, ++version),
    },
    {
      args: ["sync"],
      prepare() {
        for (const name of SKILLS.slice(0, 3)) {
          rmSync(installed(name), { recursive: true, force: true });
          edits.delete(name);
        }
      },
    },
    {
      args: ["add", "../source", "--all", "--force"],
      prepare: () => publish(sandbox, ++version),
    },
  ];

  const edit = (round: number): void => {
    const name = SKILLS[round % SKILLS.length] ?? "";
    if (!existsSync(path.join(installed(name), "SKILL.md"))) return;
    const marker = `edit ${round}`;
    const file = path.join(installed(name), "SKILL.md");
    const text = readFileSync(file, "utf8").replace(/line 15.*\n/, `line 15 ${marker}\n`);
    writeFileSync(file, text);
    edits.set(name, marker);
  };

  /** Kills at another moment each time: anywhere, or shortly after the journal is written. */
  const runAndKill = async (args: readonly string[], round: number): Promise<void> => {
    const { child, exit } = spawnBin(sandbox, args);
    const begun = performance.now();
    let isOver = false;
    void exit.then(() => {
      isOver = true;
    });
    const isApplying = (): boolean => {
      try {
        const [target = ""] = readdirSync(journals);
        return readFileSync(path.join(journals, target, "journal.json"), "utf8").includes('"kind"');
      } catch {
        return false;
      }
    };
    if (round % 4 !== 0) while (!isOver && !isApplying()) await aMoment();
    const until =
      round % 4 === 0 ? begun + 60 + ((round * 37) % 200) : performance.now() + ((round * 5) % 23);
    while (!isOver && performance.now() < until) await aMoment();
    const wasApplying = isApplying();
    child.kill("SIGKILL");
    const { signal } = await exit;
    if (signal === "SIGKILL") figures.killed++;
    else figures.ended++;
    if (signal === "SIGKILL" && wasApplying) figures.whileApplying++;
  };

  const check = async (round: number): Promise<void> => {
    for (const name of SKILLS) {
      if (existsSync(installed(name)))
        expect(versionsOf(installed(name)), `${name}, round ${round}`).toHaveLength(1);
    }
    const { stdout, stderr } = await runCommand(sandbox, ["verify", "--json"]);
    const { skills } = JSON.parse(stdout) as Verified;
    for (const { name, state } of skills) {
      expect(["as-locked", "edited", "missing"], `${name} in round ${round}: ${stderr}`).toContain(state);
      if (state === "edited") expect(edits.has(name), `${name} was not edited`).toBe(true);
      if (state !== "missing") expect(versionsOf(installed(name)), `${name}, round ${round}`).toHaveLength(1);
    }
    const kept = filesBelow(trash).filter((file) => file.endsWith("SKILL.md"));
    for (const [name, marker] of edits) {
      const places = [path.join(installed(name), "SKILL.md"), ...kept];
      const isKept = places.some(
        (file) => existsSync(file) && readFileSync(file, "utf8").includes(`${marker}\n`),
      );
      expect(isKept, `${marker} of ${name}, round ${round}`).toBe(true);
    }
    // Nothing of an interrupted command is left.
    expect(readdirSync(path.join(project, ".agents"))).toEqual(["skills"]);
  };

  mkdirSync(sandbox.path("source"));
  publish(sandbox, version);
  expect((await runCommand(sandbox, ["add", "../source", "--all"])).code).toBe(0);
  for (let round = 0; figures.killed < KILLS || figures.whileApplying === 0; round++) {
    const { args, prepare } = commands[round % commands.length] ?? { args: [], prepare: () => {} };
    edit(round);
    prepare();
    await runAndKill(args, round);
    await check(round);
  }
  const last = await runCommand(sandbox, ["sync"]);
  expect(last.code, last.stderr).toBe(0);
  if (process.env["SKILLS_MCP_INSTALL_KILLS"] !== undefined) printFigures(figures);
});
