import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** A skill as the corpora hold it: the folder's name and the text of its SKILL.md. */
export interface RawSkill {
  readonly dir: string;
  readonly text: string;
}

export interface LabelledQuery {
  readonly query: string;
  /** The folders of the skills that a person would want for it. */
  readonly relevant: readonly string[];
}

export interface LabelledSet {
  readonly name: string;
  readonly skills: readonly RawSkill[];
  readonly queries: readonly LabelledQuery[];
}

/** Data of others, for measuring only; it lies beside the project and never in it. */
export const CORPORA = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "../../../../shared/corpora/search",
);

const SETS = [
  { name: "skills", documents: "skills.jsonl.gz", queries: "queries-dev.jsonl" },
  { name: "tools", documents: "tools.jsonl.gz", queries: "tools-queries-dev.jsonl" },
] as const;

/** The set of that name, or nothing when its files are not on this machine. */
export function readLabelledSet(wanted: "skills" | "tools"): LabelledSet | undefined {
  for (const { name, documents, queries } of SETS) {
    const files = [documents, queries].map((file) => path.join(CORPORA, file));
    const [documentFile = "", queryFile = ""] = files;
    if (name !== wanted || !files.every((file) => existsSync(file))) continue;
    return {
      name,
      skills: records(gunzipSync(readFileSync(documentFile)).toString("utf8")) as readonly RawSkill[],
      queries: records(readFileSync(queryFile, "utf8")) as readonly LabelledQuery[],
    };
  }
  return undefined;
}

export const PEOPLE_KINDS = ["short", "task", "none"] as const;
export type PeopleKind = (typeof PEOPLE_KINDS)[number];

interface PeopleQuery extends LabelledQuery {
  readonly kind: PeopleKind;
}

/** The skills that one person might have, and what people ask for; nothing when the files are not on this machine. */
export function readPeopleSet():
  | { readonly skills: readonly RawSkill[]; readonly queries: readonly PeopleQuery[] }
  | undefined {
  const file = path.join(CORPORA, "people-dev.jsonl");
  const all = readLabelledSet("skills")?.skills;
  if (all === undefined || !existsSync(file)) return undefined;
  const [head, ...queries] = records(readFileSync(file, "utf8"));
  const catalogue = new Set((head as { readonly catalogue: readonly string[] }).catalogue);
  return {
    skills: all.filter(({ dir }) => catalogue.has(dir)),
    queries: queries as readonly PeopleQuery[],
  };
}

function records(text: string): readonly unknown[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as unknown]));
}
