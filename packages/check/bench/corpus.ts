import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import type { SkillContent } from "#skills";

const CORPUS = fileURLToPath(new URL("../../../test/audit-corpus/", import.meta.url));

/** A skill of a set, with its files in memory. */
export interface CorpusSkill {
  readonly name: string;
  /** What is wrong with a bad one; the path of a public one. */
  readonly about: string;
  readonly content: SkillContent;
}

/** The bad skills. Rules are written with the first set; the others only measure them. */
export const BAD_SETS = ["shown", "set-aside", "third"] as const;

interface WrittenSkill {
  readonly name: string;
  readonly about: string;
  readonly description?: string;
  readonly body: string;
  readonly files?: Readonly<Record<string, string>>;
}

export function readBadSkills(set: (typeof BAD_SETS)[number]): readonly CorpusSkill[] {
  const written = load(
    readFileSync(path.join(CORPUS, "bad", `${set}.yaml`), "utf8"),
  ) as readonly WrittenSkill[];
  return written.map(({ name, about, description, body, files = {} }) => {
    const says = description ?? `Helps with ${name.replaceAll("-", " ")}. Use it when this comes up.`;
    const text = `---\nname: ${name}\ndescription: ${says}\n---\n\n# ${name}\n\n${body}`;
    const entries = Object.entries({ "SKILL.md": text, ...files });
    return {
      name,
      about,
      content: new Map(entries.map(([file, each]) => [file, { bytes: bytesOf(each), isExecutable: false }])),
    };
  });
}

/** Bad skills name hosts that cannot exist, and addresses for documentation, which no attacker uses. */
function bytesOf(text: string): Buffer {
  if (text.startsWith("bytes:")) return Buffer.from(text.slice(6).replaceAll(" ", ""), "hex");
  const used = text.replaceAll(".invalid", ".net").replaceAll("203.0.113.", "45.9.148.");
  return Buffer.from(used, used.startsWith("\x89PNG") ? "latin1" : "utf8");
}

/** A line of the list of public skills: where a skill is, and what a reader said of the findings from `medium` on. */
export interface PublicSkill {
  readonly repo: string;
  readonly commit: string;
  /** The folder of the skill in the repository. */
  readonly dir: string;
  /** By `<severity>:<rule>`: whether the finding says something true that is worth reading. */
  readonly judged: ReadonlyMap<string, "right" | "wrong">;
}

const PUBLIC = path.join(CORPUS, "public.tsv");

export function readPublicList(): readonly PublicSkill[] {
  const [, ...lines] = readFileSync(PUBLIC, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [repo = "", commit = "", dir = "", judged = ""] = line.split("\t");
    const pairs = judged === "-" ? [] : judged.split(" ").map((each) => each.split("=") as [string, "right"]);
    return { repo, commit, dir, judged: new Map(pairs) };
  });
}

/** The skills below a folder of checkouts, `<folder>/<owner>+<name>/…`: one for each SKILL.md, with the files of its folder. */
export function* readPublicSkills(folder: string): Generator<CorpusSkill & { readonly repo: string }> {
  for (const repo of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const root = path.join(folder, repo);
    for (const dir of skillFolders(root)) {
      const content: SkillContent = new Map(filesOf(dir));
      yield {
        repo: repo.replace("+", "/"),
        name: path.basename(dir),
        about: path.relative(root, dir),
        content,
      };
    }
  }
}

function* skillFolders(dir: string): Generator<string> {
  const entries = readdirSync(dir, { withFileTypes: true });
  if (entries.some((entry) => entry.isFile() && entry.name === "SKILL.md")) yield dir;
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
    if (entry.isDirectory() && !NOT_READ.has(entry.name)) yield* skillFolders(path.join(dir, entry.name));
}

const NOT_READ = new Set(["node_modules", ".git"]);

function* filesOf(dir: string, prefix = ""): Generator<[string, { bytes: Buffer; isExecutable: boolean }]> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isFile()) yield [prefix + entry.name, { bytes: readFileSync(file), isExecutable: false }];
    else if (entry.isDirectory() && !NOT_READ.has(entry.name) && !existsSync(path.join(file, "SKILL.md")))
      yield* filesOf(file, `${prefix}${entry.name}/`);
  }
}
