import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { spawnBin } from "../support/bin.ts";
import { printFigures } from "../support/figures.ts";
import { runCommand } from "../support/in-process.ts";
import { createRandom } from "../support/random.ts";
import { createSandbox, DISK_FOLDER, MEMORY_FOLDER, type Sandbox, skillText } from "../support/sandbox.ts";

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

const DISTURB = new URL("../support/disturb.mjs", import.meta.url).href;
/** A seed repeats a run: `SKILLS_MCP_INSTALL_SEED=7 npm run check:install`. */
const SEED = Number(process.env["SKILLS_MCP_INSTALL_SEED"] ?? 1);
const DAY_MS = 24 * 60 * 60_000;
/** Right, set back, and ahead by more than what the trash keeps. */
const CLOCKS = [0, -400 * DAY_MS, 100 * DAY_MS, 1000 * DAY_MS];

interface Kill {
  /** The name of a file call, or "" for any. */
  readonly call: string;
  /** Which one of them; 0 for none. */
  readonly at: number;
}

const NO_KILL: Kill = { call: "", at: 0 };
/** Calls that a change consists of, with about how many of them a command has. */
const KILLED_CALLS = [
  ["rename", 50],
  ["rename", 50],
  ["cp", 9],
  ["rm", 4],
] as const;

/** The project on one file system, the home folder on another. */
function onTwoFileSystems(): Sandbox {
  const [disk, memory] = [createSandbox(DISK_FOLDER), createSandbox(MEMORY_FOLDER)];
  return { ...disk, home: memory.home };
}

const hasTwo = statSync(DISK_FOLDER).dev !== statSync(MEMORY_FOLDER).dev;

/** Every file below a folder with its text. */
function textsBelow(folder: string): ReadonlyMap<string, string> {
  return new Map(filesBelow(folder).map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]));
}

/** Runs random commands, kills them at file calls, moves the clock, and edits in between. */
function openDriver(sandbox: Sandbox, random: () => number) {
  const { project, home } = sandbox;
  const agents = path.join(project, ".agents");
  const skillsDir = path.join(agents, "skills");
  const copies = path.join(project, ".claude", "skills");
  const trash = path.join(home, ".skills-mcp", "trash");
  const figures = { steps: 0, killed: 0, edits: 0, givenUp: 0, undone: 0 };
  const history: string[] = [];
  /** Edits that nobody took back on purpose. */
  const edits = new Set<string>();
  let version = 0;
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const git = (...args: string[]): void => {
    const settings = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...settings, ...args], { cwd: project, stdio: "pipe" });
  };
  const markersIn = (...folders: readonly string[]): ReadonlySet<string> => {
    const texts = folders.flatMap((folder) => [...textsBelow(folder).values()]);
    return new Set(texts.flatMap((text) => [...text.matchAll(/^edit \d+$/gm)].map(([marker]) => marker)));
  };

  /** Anywhere, or at one of the few calls that move a skill. */
  function anyKill(): Kill {
    const [call, most] = any([["", 200] as const, ...KILLED_CALLS]);
    return { call, at: 1 + Math.floor(random() * most) };
  }

  async function run(args: readonly string[], kill: Kill = NO_KILL, clock = any(CLOCKS)) {
    const killed = kill.at > 0 ? `, killed at ${kill.call || "call"} ${kill.at}` : "";
    history.push(`${args.join(" ")}${killed}, clock ${clock / DAY_MS} days`);
    const { exit, stdout, stderr } = spawnBin(sandbox, args, {
      NODE_OPTIONS: `--import=${DISTURB}`,
      DISTURB_KILL_AT: String(kill.at),
      DISTURB_KILL_IN: kill.call,
      DISTURB_CLOCK_MS: String(clock),
    });
    const { code, signal } = await exit;
    if (signal === "SIGKILL") figures.killed++;
    else {
      // A conflict is 1. Anything else is a bug, or a state that blocks.
      expect([0, 1], `${history.join("\n")}\n${stdout()}${stderr()}`).toContain(code);
      expect(stderr(), history.join("\n")).not.toMatch(/\bE[A-Z]{3,}\b|cannot be changed/);
    }
    return { code, signal, stdout: stdout(), stderr: stderr() };
  }

  /** What a person overwrites or removes on purpose is given up. */
  function onPurpose(act: () => void): void {
    const before = markersIn(skillsDir, copies);
    act();
    const after = markersIn(skillsDir, copies);
    for (const marker of before) {
      if (after.has(marker) || markersIn(trash).has(marker)) continue;
      if (edits.delete(marker)) figures.givenUp++;
    }
  }

  /** Most skills, so that whatever is moved has an edit that nothing else has. */
  function edit(): void {
    for (const folder of [skillsDir, copies]) {
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        const files = filesBelow(path.join(folder, name)).filter((file) => file.endsWith(".md"));
        if (files.length === 0 || random() < 0.3) continue;
        const marker = `edit ${figures.edits++}`;
        appendFileSync(any(files), `${marker}\n`);
        edits.add(marker);
      }
    }
  }

  const COMMANDS: readonly (() => readonly string[])[] = [
    () => ["update"],
    () => ["update", "--force"],
    () => ["update", "--keep-mine", any(SKILLS)],
    () => ["add", "../source", "--all"],
    () => ["add", "../source", any(SKILLS), "--replace", "--agent", "claude", "--copy"],
    () => ["sync"],
    () => ["undo"],
    () => ["remove", any(SKILLS)],
    () => ["disable", any(SKILLS)],
    () => ["enable", any(SKILLS)],
  ];

  /** The trash and the disk have every edit, and nothing is left of an interrupted command. */
  async function check(): Promise<void> {
    const { stdout } = await run(["verify", "--json"]);
    expect(() => JSON.parse(stdout), history.join("\n")).not.toThrow();
    const found = markersIn(skillsDir, copies, trash);
    const lost = [...edits].filter((marker) => !found.has(marker));
    expect(lost, `seed ${SEED}:\n${history.join("\n")}`).toEqual([]);
    if (existsSync(agents)) expect(readdirSync(agents), history.join("\n")).not.toContain(".skills-mcp");
  }

  return {
    figures,
    async begin(): Promise<void> {
      mkdirSync(sandbox.path("source"));
      publish(sandbox, version);
      await run(["add", "../source", "--all"], NO_KILL, 0);
      git("init", "--quiet");
      git("add", "--all");
      git("commit", "--quiet", "--message", "skills");
    },

    async step(): Promise<void> {
      figures.steps++;
      edit();
      if (random() < 0.4) publish(sandbox, ++version);
      const { signal } = await run(any(COMMANDS)(), random() < 0.8 ? anyKill() : NO_KILL);
      if (signal === "SIGKILL" && random() < 0.5) {
        const missing = SKILLS.filter((name) => !existsSync(path.join(skillsDir, name)));
        const wanted = random() < 0.2 ? [skillsDir] : missing.map((name) => path.join(skillsDir, name));
        history.push(`git checkout ${wanted.join(" ")}`);
        if (wanted.length > 0) onPurpose(() => git("checkout", "--quiet", "--", ...wanted));
      } else if (random() < 0.1) {
        const name = any(SKILLS);
        history.push(`rm -r ${name}`);
        onPurpose(() => rmSync(path.join(skillsDir, name), { recursive: true, force: true }));
      }
      // The next command may be killed while it repairs.
      if (signal === "SIGKILL" && random() < 0.5) await run(["sync"], anyKill());
      await check();
    },

    /** What a command changed is taken back by `undo`, whatever the clock says. */
    async changeAndUndo(): Promise<void> {
      await run(["add", "../source", "--all", "--replace"]);
      publish(sandbox, ++version);
      const before = textsBelow(skillsDir);
      await run(["update", "--force"]);
      expect(textsBelow(skillsDir), history.join("\n")).not.toEqual(before);
      await run(["undo"]);
      expect(textsBelow(skillsDir), history.join("\n")).toEqual(before);
      figures.undone++;
    },

    async end(): Promise<void> {
      for (const args of [["sync"], ["update", "--force"], ["sync", "--frozen"]]) {
        const { code, stdout, stderr } = await run(args);
        expect(code, `${history.join("\n")}\n${stdout}${stderr}`).toBe(0);
      }
      await check();
    },
  };
}

/** At least so many steps, so that some of them are killed. */
const STEPS = Math.max(KILLS, 8);

test.for(["one file system", "two file systems"])(
  `random commands, kills at any file call and clocks that jump, on %s: no edit is lost, nothing is blocked`,
  { timeout: 60_000 + STEPS * 10_000 },
  async (place, { skip }) => {
    const isTwo = place === "two file systems";
    if (isTwo && !hasTwo) skip(`${DISK_FOLDER} and ${MEMORY_FOLDER} are one file system`);
    const driver = openDriver(isTwo ? onTwoFileSystems() : createSandbox(), createRandom(SEED));
    await driver.begin();
    for (let step = 0; step < STEPS; step++) {
      await driver.step();
      if (step % 5 === 4) await driver.changeAndUndo();
    }
    await driver.end();
    expect(driver.figures.killed).toBeGreaterThan(0);
    if (process.env["SKILLS_MCP_INSTALL_KILLS"] !== undefined) printFigures({ place, ...driver.figures });
  },
);
