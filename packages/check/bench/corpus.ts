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

/** A repository of public skills, at the commit that was audited, with what a reader said of the findings from `medium` on. */
export interface PublicRepo {
  readonly repo: string;
  readonly commit: string;
  readonly skills: number;
  /** By the skill's folder and `<severity>:<rule>`: whether the finding is true and worth reading. Skills that are not listed have none. */
  readonly judged: ReadonlyMap<string, "right" | "wrong">;
}

/** Columns: repository, commit, the skill's folder or `*` for all of them, and the findings or the number of skills. */
export function readPublicList(): readonly PublicRepo[] {
  const [, ...lines] = readFileSync(path.join(CORPUS, "public.tsv"), "utf8").trimEnd().split("\n");
  const rows = lines.map((line) => line.split("\t"));
  return rows.flatMap(([repo = "", commit = "", skill, count = ""]) => {
    if (skill !== "*") return [];
    const judged = rows
      .filter((row) => row[0] === repo && row[2] !== "*")
      .flatMap(([, , dir = "", findings = ""]) =>
        findings.split(" ").map((each) => {
          const [key = "", said] = each.split("=");
          return [`${dir} ${key}`, said === "right" ? "right" : "wrong"] as const;
        }),
      );
    return [{ repo, commit, skills: Number.parseInt(count, 10), judged: new Map(judged) }];
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
