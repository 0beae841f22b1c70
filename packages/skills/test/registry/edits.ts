import * as fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { skillText } from "../../../../test/support/sandbox.ts";
import { planRoots } from "../../src/roots/roots.ts";
import type { ScanOptions } from "../../src/scan/scan.ts";

/** One change to the disk. Numbers choose among what is there at that moment, so that most edits do something. */
export type Edit =
  | { readonly kind: Write; readonly at: number; readonly content: Content }
  | { readonly kind: Move; readonly at: number; readonly to: number }
  | { readonly kind: Touch; readonly at: number }
  | { readonly kind: "save twice"; readonly at: number; readonly content: Content }
  | { readonly kind: "wait" };

type Write = (typeof WRITES)[number];
type Move = (typeof MOVES)[number];
type Touch = (typeof TOUCHES)[number];
type Content = keyof typeof CONTENTS;

const WRITES = ["create", "overwrite", "atomic save"] as const;
const MOVES = [
  "link folder",
  "link file",
  "hard link file",
  "rename folder",
  "rename link",
  "swap folders",
  "make folder",
  "install plugin",
] as const;
const TOUCHES = [
  "delete file",
  "delete folder",
  "remove link",
  "toggle",
  "touch",
  "change a word",
  "grow huge",
  "chmod",
  "add settings",
  "link settings",
] as const;

/** What people write into a SKILL.md: few names, so that skills meet, and several texts of one size. */
const CONTENTS = {
  a: skillText("a", "The first."),
  "a, new words": skillText("a", "New words."),
  b: skillText("b", "The other."),
  "B, upper case": skillText("B", "The OTHER."),
  "a, with a warning": "---\nname: a\ndescription: The first.\nlist: [1, 2\n---\n",
  "a, with another": "---\nname: a\ndescription: The first.\n\tbad: {\n---\n",
  "a, not for models": "---\nname: a\ndescription: The first.\ndisable-model-invocation: true\n---\n",
  "a, not for people": "---\nname: a\ndescription: The first.\nuser-invocable: no\n---\n",
  "a, for nobody knows": "---\nname: a\ndescription: The first.\nuser-invocable: perhaps\n---\n",
  "name with a slash": skillText("a/b", "The typed."),
  "longer than one read": skillText("long", `The ${"é".repeat(2_500)}`),
  "no description": "---\nname: a\ndescripted:  The first.\n---\n\n",
  "never closed": "---\nname: a\ndescription: [\n---\n",
  "no front matter": "# Only a heading\n",
  "not UTF-8": Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]),
} as const;

/** What Codex and others write into agents/openai.yaml. */
const SETTINGS = [
  "policy:\n  allow_implicit_invocation: false\n",
  "policy:\n  allow_implicit_invocation: true \n",
  "interface:\n  display_name: A\n",
  "policy: {\n",
];

const ROOTS = [
  "named",
  "project/.agents/skills",
  "project/.claude/skills",
  "home/.claude/skills",
  "home/.codex/skills",
];
/** Links lead here, and plugins are installed here. */
const SHARED = "shared";
const BASES = [...ROOTS, SHARED];

/** Where folders and links come to be: each root, and two levels below it. */
const PLACES = BASES.flatMap((base) => ["", "/x", "/y", "/x/x"].map((below) => base + below));
const FILE_NAMES = ["SKILL.md", "SKILL.md", "SKILL.md", "skill.md", ".SKILL.md"];

/** Unbiased: mostly small numbers would mean mostly the same places. */
const number = fc.noBias(fc.nat({ max: 10_000 }));
const content = fc.constantFrom(...(Object.keys(CONTENTS) as Content[]));
const aCreation = fc.record({ kind: fc.constant("create"), at: number, content });
const aWrite = fc.record({ kind: fc.constantFrom(...WRITES, "save twice"), at: number, content });
const aMove = fc.record({ kind: fc.constantFrom(...MOVES), at: number, to: number });
const aTouch = fc.record({ kind: fc.constantFrom(...TOUCHES), at: number });
const aWait = fc.record({ kind: fc.constant("wait") });

/** A tree to begin with. */
export const aTree: fc.Arbitrary<readonly Edit[]> = fc
  .tuple(
    fc.array(aCreation, { minLength: 4, maxLength: 8, size: "max" }),
    fc.array(aMove, { maxLength: 4, size: "max" }),
  )
  .map(([files, moves]) => [...files, ...moves]);

export const someEdits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: aWrite },
    { weight: 8, arbitrary: aMove },
    { weight: 8, arbitrary: aTouch },
    { weight: 2, arbitrary: aWait },
  ),
  { minLength: 1, maxLength: 12, size: "max" },
);

/** Longer than the clock grain that the test lets the scanner assume. */
export const WAIT_MS = 25;

/**
 * Makes one edit below `world`; `scan` is the scanner under test. An edit that cannot be made, such as moving a
 * folder into itself, changes nothing.
 */
export async function applyEdit(world: string, edit: Edit, scan: () => Promise<unknown>): Promise<void> {
  try {
    if (edit.kind === "wait") await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    else if (edit.kind === "save twice") {
      // With a scan in between, and often all of it within one tick of the file system's clock.
      const file = pick(whatIsThere(world).files, edit.at);
      write(file, CONTENTS[edit.content]);
      await scan();
      changeAWord(file);
    } else if ("content" in edit) makeWrite(world, edit);
    else if ("to" in edit) makeMove(world, edit);
    else makeTouch(world, edit);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function makeWrite(world: string, edit: Edit & { kind: Write }): void {
  if (edit.kind === "create") {
    const folder = path.join(world, pick(PLACES, edit.at));
    fs.mkdirSync(folder, { recursive: true });
    write(path.join(folder, pick(FILE_NAMES, edit.at >> 5)), CONTENTS[edit.content]);
    return;
  }
  const file = pick(whatIsThere(world).files, edit.at);
  if (edit.kind === "overwrite") {
    write(file, CONTENTS[edit.content]);
    return;
  }
  write(`${file}.tmp`, CONTENTS[edit.content]);
  fs.renameSync(`${file}.tmp`, file);
}

function makeMove(world: string, edit: Edit & { kind: Move }): void {
  const { files, folders, links } = whatIsThere(world);
  const place = path.join(world, pick(PLACES, edit.to));
  switch (edit.kind) {
    case "link folder": {
      // Now and then to a place that may not be there.
      const target = edit.at % 9 === 0 ? path.join(world, pick(PLACES, edit.at)) : pick(folders, edit.at);
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.symlinkSync(target, fs.existsSync(place) ? path.join(place, "link") : place);
      return;
    }
    case "link file": {
      const target = edit.at % 7 === 0 ? pick(folders, edit.at) : pick(files, edit.at);
      fs.symlinkSync(target, path.join(pick(folders, edit.to), pick(FILE_NAMES, edit.to >> 5)));
      return;
    }
    case "hard link file":
      fs.linkSync(pick(files, edit.at), path.join(pick(folders, edit.to), "SKILL.md"));
      return;
    case "rename folder":
      fs.renameSync(pick(folders, edit.at), place);
      return;
    case "rename link":
      fs.renameSync(pick(links, edit.at), place);
      return;
    case "swap folders": {
      const [one, other] = [pick(folders, edit.at), pick(folders, edit.to)];
      if (one.startsWith(other) || other.startsWith(one)) return;
      fs.renameSync(one, path.join(world, "swap"));
      fs.renameSync(other, one);
      fs.renameSync(path.join(world, "swap"), other);
      return;
    }
    case "make folder":
      fs.mkdirSync(path.join(pick(folders, edit.at), pick(["SKILL.md", "x", "node_modules"], edit.to)));
      return;
    case "install plugin": {
      const claude = path.join(world, "home/.claude");
      const id = pick(["one@m", "two@m", "one@n", "one"], edit.at);
      const plugins = { [id]: { installPath: path.join(world, SHARED, edit.to % 5 === 0 ? "x" : "") } };
      const enabledPlugins = { [id]: edit.to % 7 !== 0 };
      fs.mkdirSync(claude, { recursive: true });
      fs.writeFileSync(path.join(claude, "plugins.json"), JSON.stringify({ plugins }));
      fs.writeFileSync(path.join(claude, "settings.json"), JSON.stringify({ enabledPlugins }));
    }
  }
}

function makeTouch(world: string, edit: Edit & { kind: Touch }): void {
  const { files, folders, links } = whatIsThere(world);
  switch (edit.kind) {
    case "delete file":
      fs.rmSync(pick(files, edit.at));
      return;
    case "delete folder":
      fs.rmSync(pick(folders, edit.at), { recursive: true });
      return;
    case "remove link":
      fs.unlinkSync(pick(links, edit.at));
      return;
    case "toggle": {
      const { dir, base } = path.parse(pick([...files, ...links], edit.at));
      fs.renameSync(path.join(dir, base), path.join(dir, base.startsWith(".") ? base.slice(1) : `.${base}`));
      return;
    }
    case "touch":
      fs.utimesSync(pick(files, edit.at), 500_000, 500_000);
      return;
    case "change a word":
      changeAWord(pick(files, edit.at));
      return;
    case "grow huge":
      fs.truncateSync(pick(files, edit.at), 2 * 1024 * 1024);
      return;
    case "chmod": {
      // Root reads everything, so for root this changes nothing but the time of the last change.
      const place = pick([...files, ...folders], edit.at);
      const stats = fs.statSync(place);
      const open = stats.isDirectory() ? 0o755 : 0o644;
      fs.chmodSync(place, (stats.mode & 0o400) === 0 ? open : 0o000);
      return;
    }
    case "add settings": {
      const folder = path.join(path.dirname(pick(files, edit.at)), "agents");
      fs.mkdirSync(folder, { recursive: true });
      write(path.join(folder, "openai.yaml"), pick(SETTINGS, edit.at >> 3));
      return;
    }
    case "link settings": {
      const folder = path.join(path.dirname(pick(files, edit.at)), "agents");
      fs.mkdirSync(folder, { recursive: true });
      const target = path.join(path.dirname(folder), pick(["own.yaml", "../own.yaml"], edit.at >> 3));
      write(target, pick(SETTINGS, edit.at >> 4));
      fs.symlinkSync(target, path.join(folder, "openai.yaml"));
    }
  }
}

/** Every file gets the same old time, as from tools that restore times: only size and content tell them apart. */
function write(file: string, bytes: string | Uint8Array): void {
  fs.writeFileSync(file, bytes);
  fs.utimesSync(file, 1_000_000, 1_000_000);
}

/** Changes a word of the description, if it holds it, and keeps the size and the time. */
function changeAWord(file: string): void {
  const text = fs.readFileSync(file).toString("latin1");
  const changed = text.includes("The ") ? text.replace("The ", "Das ") : text.replace("Das ", "The ");
  write(file, Buffer.from(changed, "latin1"));
}

interface There {
  readonly files: string[];
  readonly folders: string[];
  readonly links: string[];
}

/** What lies below the world now, in a fixed order. Closed folders are named, not entered. */
function whatIsThere(world: string): There {
  const there: There = { files: [], folders: [], links: [] };
  for (const base of BASES) visit(path.join(world, base), there);
  return there;
}

function visit(place: string, there: There): void {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) there.links.push(place);
  else if (stats.isFile()) there.files.push(place);
  else {
    there.folders.push(place);
    if ((stats.mode & 0o400) === 0) return;
    for (const name of fs.readdirSync(place).sort()) visit(path.join(place, name), there);
  }
}

function pick<T>(choices: readonly T[], index: number): T {
  if (choices.length === 0)
    throw Object.assign(new Error("There is nothing to choose from."), { code: "NONE" });
  return choices[index % choices.length] as T;
}

/** Opens what edits have closed, so that the world can be removed. */
export function openAll(world: string): void {
  const closed = whatIsThere(world).folders.filter((folder) => (fs.statSync(folder).mode & 0o400) === 0);
  for (const folder of closed) fs.chmodSync(folder, 0o755);
  if (closed.length > 0) openAll(world);
}

/** The folders in which edits happen. One is named although it lies below another root, so that roots overlap. */
export function optionsFor(world: string, now: () => number): ScanOptions {
  const home = path.join(world, "home");
  const claude = path.join(home, ".claude");
  const skillDirs = [path.join(world, "named"), path.join(claude, "skills/x")];
  const plan = planRoots({ cwd: path.join(world, "project"), home, skillDirs, defaultDirs: true });
  return {
    roots: plan.filter((root) => ["file", "agents", "claude", "codex"].includes(root.provider)),
    plugins: {
      file: path.join(claude, "plugins.json"),
      root: claude,
      settingsFile: path.join(claude, "settings.json"),
      named: false,
    },
    now,
  };
}
