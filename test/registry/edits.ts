import * as fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { skillText } from "../support/sandbox.ts";

/** One change to the disk. Numbers choose among what is there at that moment, so that most edits do something. */
export type Edit =
  | { readonly kind: "create" | "overwrite" | "atomic save"; readonly at: number; readonly content: Content }
  | {
      readonly kind: "make folder" | "link folder" | "rename folder";
      readonly at: number;
      readonly to: number;
    }
  | { readonly kind: "link file" | "hard link file"; readonly at: number; readonly to: number }
  | { readonly kind: "delete file" | "delete folder" | "remove link" | "toggle"; readonly at: number }
  | { readonly kind: "touch old" | "same size, same time" | "grow huge" | "chmod"; readonly at: number }
  | { readonly kind: "swap folders"; readonly at: number; readonly to: number }
  | { readonly kind: "plugins"; readonly to: number }
  | { readonly kind: "wait" };

type Content = keyof typeof CONTENTS;

/** What people write into a SKILL.md. Few names, so that skills meet. */
const CONTENTS = {
  a: skillText("a", "The first."),
  "a, other words": skillText("a", "Another!!"),
  b: skillText("b", "The second."),
  "B, upper case": skillText("B", "The second, loud."),
  "name with a slash": skillText("a/b", "Cannot be typed back."),
  "read with a warning": "---\nname: a\ndescription: The first.\nlist: [1, 2\n---\n",
  "another warning": "---\nname: a\ndescription: The first.\n\tbad: {\n---\n",
  "longer than one read": skillText("long", "é".repeat(2_500)),
  "no description": "---\nname: a\n---\n",
  "never closed": "---\nname: a\ndescription: [\n---\n",
  "no front matter": "# Only a heading\n",
  empty: "",
  "not UTF-8": Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]),
} as const;

const ROOTS = [
  "named",
  "project/.agents/skills",
  "project/.claude/skills",
  "home/.claude/skills",
  "home/.codex/skills",
];
/** Links lead here, and plugins are installed here. */
const SHARED = "shared";

/** Every folder that may come to be: each root, and two levels below it. */
const PLACES = [...ROOTS, SHARED].flatMap((base) => [
  base,
  ...["x", "y"].flatMap((outer) => [
    `${base}/${outer}`,
    `${base}/${outer}/x`,
    `${base}/${outer}/node_modules`,
  ]),
]);
const FILE_NAMES = ["SKILL.md", "SKILL.md", "SKILL.md", "skill.md", ".SKILL.md"];

const number = fc.nat({ max: 1_000 });
const content = fc.constantFrom(...(Object.keys(CONTENTS) as Content[]));
const kindOf = <const Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);

export const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kindOf("create"), at: number, content }) },
  { weight: 5, arbitrary: fc.record({ kind: kindOf("overwrite", "atomic save"), at: number, content }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kindOf(
        "link folder",
        "rename folder",
        "link file",
        "hard link file",
        "make folder",
        "swap folders",
      ),
      at: number,
      to: number,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kindOf(
        "delete file",
        "delete folder",
        "remove link",
        "toggle",
        "touch old",
        "same size, same time",
        "grow huge",
        "chmod",
      ),
      at: number,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kindOf("plugins"), to: number }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf("wait") }) },
);

/** Longer than the clock grain that the test lets the scanner assume. */
export const WAIT_MS = 25;

/** Makes one edit below `world`. One that cannot be made (a folder into itself, a link in the way) changes nothing. */
export async function applyEdit(world: string, edit: Edit): Promise<void> {
  if (edit.kind === "wait") {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return;
  }
  try {
    change(world, edit);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function change(world: string, edit: Exclude<Edit, { kind: "wait" }>): void {
  const there = look(world);
  switch (edit.kind) {
    case "create": {
      const folder = path.join(world, pick(PLACES, edit.at));
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, pick(FILE_NAMES, edit.at >> 3)), CONTENTS[edit.content]);
      return;
    }
    case "overwrite":
      fs.writeFileSync(pick(there.files, edit.at), CONTENTS[edit.content]);
      return;
    case "atomic save": {
      const file = pick(there.files, edit.at);
      fs.writeFileSync(`${file}.tmp`, CONTENTS[edit.content]);
      fs.renameSync(`${file}.tmp`, file);
      return;
    }
    case "make folder": {
      const name = pick(["SKILL.md", "empty", ".git", "node_modules"], edit.to);
      fs.mkdirSync(path.join(pick(there.folders, edit.at), name), { recursive: true });
      return;
    }
    case "link folder": {
      const place = path.join(world, pick(PLACES, edit.at));
      const target =
        edit.to % 9 === 0 ? path.join(world, pick(PLACES, edit.to)) : pick(there.folders, edit.to);
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.symlinkSync(target, fs.existsSync(place) ? path.join(place, "link") : place);
      return;
    }
    case "link file": {
      const place = path.join(pick(there.folders, edit.at), pick(FILE_NAMES, edit.at >> 3));
      fs.symlinkSync(edit.to % 5 === 0 ? pick(there.folders, edit.to) : pick(there.files, edit.to), place);
      return;
    }
    case "hard link file":
      fs.linkSync(pick(there.files, edit.to), path.join(pick(there.folders, edit.at), "SKILL.md"));
      return;
    case "rename folder":
      fs.renameSync(pick(there.folders, edit.at), path.join(world, pick(PLACES, edit.to)));
      return;
    case "swap folders": {
      const [one, other] = [pick(there.folders, edit.at), pick(there.folders, edit.to)];
      if (one.startsWith(other) || other.startsWith(one)) return;
      fs.renameSync(one, path.join(world, "swap"));
      fs.renameSync(other, one);
      fs.renameSync(path.join(world, "swap"), other);
      return;
    }
    case "delete file":
      fs.rmSync(pick(there.files, edit.at));
      return;
    case "delete folder":
      fs.rmSync(pick(there.folders, edit.at), { recursive: true });
      return;
    case "remove link":
      fs.unlinkSync(pick(there.links, edit.at));
      return;
    case "toggle": {
      const file = pick(there.files, edit.at);
      const name = path.basename(file);
      const toggled = name.startsWith(".") ? name.slice(1) : `.${name}`;
      fs.renameSync(file, path.join(path.dirname(file), toggled));
      return;
    }
    case "touch old":
      fs.utimesSync(pick(there.files, edit.at), 1_000_000, 1_000_000);
      return;
    case "same size, same time": {
      const file = pick(there.files, edit.at);
      const { atime, mtime } = fs.statSync(file);
      // Only the description's words differ; bytes that are no such text stay as they are.
      const bytes = fs.readFileSync(file);
      const changed = bytes.toString("latin1").replace("The ", "Der ").replace("Another", "Othersx");
      fs.writeFileSync(file, Buffer.from(changed, "latin1"));
      fs.utimesSync(file, atime, mtime);
      return;
    }
    case "grow huge":
      fs.truncateSync(pick(there.files, edit.at), 2 * 1024 * 1024);
      return;
    case "chmod": {
      // Root reads everything, so that for root this only changes the file's own time.
      const file = pick([...there.files, ...there.folders], edit.at);
      const isOpen = (fs.statSync(file).mode & 0o400) !== 0;
      const openMode = fs.statSync(file).isDirectory() ? 0o755 : 0o644;
      fs.chmodSync(file, isOpen ? 0o000 : openMode);
      return;
    }
    case "plugins":
      writePlugins(world, edit.to);
  }
}

function writePlugins(world: string, choice: number): void {
  const claude = path.join(world, "home/.claude");
  fs.mkdirSync(claude, { recursive: true });
  const installPath = path.join(world, SHARED, ...(choice % 2 === 0 ? [] : ["x"]));
  const id = pick(["one@m", "two@m", "one@n", "one"], choice >> 1);
  fs.writeFileSync(path.join(claude, "plugins.json"), JSON.stringify({ plugins: { [id]: { installPath } } }));
  const enabledPlugins = choice % 7 === 0 ? { [id]: false } : {};
  fs.writeFileSync(path.join(claude, "settings.json"), JSON.stringify({ enabledPlugins }));
}

interface There {
  readonly files: string[];
  readonly folders: string[];
  readonly links: string[];
}

/** What lies below the world now, in a fixed order. Closed folders are named, not entered. */
function look(world: string): There {
  const there: There = { files: [], folders: [], links: [] };
  for (const base of [...ROOTS, SHARED]) visit(path.join(world, base), there);
  return there;
}

function visit(place: string, there: There): void {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) there.links.push(place);
  else if (stats.isFile()) there.files.push(place);
  else {
    there.folders.push(place);
    let names: string[] = [];
    try {
      names = fs.readdirSync(place).sort();
    } catch {
      // Closed by an edit.
    }
    for (const name of names) visit(path.join(place, name), there);
  }
}

function pick<T>(choices: readonly T[], index: number): T {
  if (choices.length === 0) throw Object.assign(new Error("Nothing to choose from."), { code: "NOTHING" });
  return choices[index % choices.length] as T;
}

/** Opens what edits have closed, so that the world can be removed. */
export function openAll(world: string): void {
  const { folders } = look(world);
  for (const folder of folders) fs.chmodSync(folder, 0o755);
  if (look(world).folders.length > folders.length) openAll(world);
}
