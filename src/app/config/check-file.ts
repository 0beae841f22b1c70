import path from "node:path";
import { expandHome } from "../../system/home-folder.ts";
import { keyPath } from "./key-path.ts";
import { type Leaf, leavesOf } from "./leaves.ts";
import type { Setting } from "./merge.ts";
import { parseConfigText } from "./parse-config-text.ts";
import { explainIssues } from "./problems.ts";
import { SCHEMA } from "./schema.ts";
import type { ConfigProblem } from "./settings.ts";

export interface CheckedFile {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
}

/** What a file's text sets, or everything that is wrong with it. */
export function checkConfigFile({
  file,
  text,
  home,
}: {
  readonly file: string;
  readonly text: string;
  readonly home: string;
}): CheckedFile {
  const parsed = parseConfigText(text);
  if (!parsed.ok)
    return { settings: [], problems: [{ place: at(file, parsed.line), message: parsed.message }] };
  const { data, lineOf } = parsed;
  if (data === undefined) return { settings: [], problems: [] };
  const checked = SCHEMA.safeParse(data);
  if (!checked.success) {
    const problems = explainIssues(checked.error.issues, data)
      .map(({ key, message }) => ({ line: lineOf(key), message }))
      .sort((a, b) => (a.line ?? LAST) - (b.line ?? LAST))
      .map(({ line, message }) => ({ place: at(file, line), message }));
    return { settings: [], problems };
  }
  const { scripts } = checked.data;
  const folders = scripts?.folders?.map((folder) => path.resolve(expandHome(folder, home)));
  const absolute =
    folders === undefined ? checked.data : { ...checked.data, scripts: { ...scripts, folders } };
  const settings = leavesOf(absolute).map((leaf): Setting => {
    const line = lineOf(keyPath(leaf.parts));
    return { ...inLowerCase(leaf), origin: { kind: "file", file, ...(line === undefined ? {} : { line }) } };
  });
  return { settings, problems: [] };
}

/** A script's extension is compared in lower case, so those of the settings are too. */
function inLowerCase({ parts, value }: Leaf): Leaf {
  const [section, key, name] = parts;
  if (section !== "scripts") return { parts, value };
  if (key === "runners" && name !== undefined) return { parts: [section, key, name.toLowerCase()], value };
  if (key !== "allowed_extensions" || !Array.isArray(value)) return { parts, value };
  return { parts, value: value.map((extension) => String(extension).toLowerCase()) };
}

const LAST = Number.MAX_SAFE_INTEGER;

function at(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}
