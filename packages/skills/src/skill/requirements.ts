import { isRecord } from "#util/pure";
import { collapseWhiteSpace } from "./front-matter/key-lines.ts";

/** What an author says a skill is, and needs. */
export interface Requirements {
  readonly version?: string;
  /** The author's own words. */
  readonly compatibility?: string;
  /** Programs that it starts. */
  readonly programs?: readonly string[];
  /** The systems that it is for, as Node calls them; absent for all. */
  readonly systems?: readonly string[];
}

const LONGEST_VERSION = 64;
/** As the specification allows. */
const LONGEST_TEXT = 500;
const MOST_PROGRAMS = 20;
const PROGRAM = /^[A-Za-z0-9][\w.+-]{0,63}$/;
const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ...["darwin", "macos", "mac", "osx"].map((name) => [name, "darwin"] as const),
  ["linux", "linux"],
  ...["win32", "windows", "win"].map((name) => [name, "win32"] as const),
]);

/** Programs that authors name in `compatibility`. A word of English is none of them. */
const KNOWN_PROGRAMS: ReadonlySet<string> = new Set(
  "aws az bun bundle cargo cmake curl deno docker dotnet ffmpeg gcloud gh git gpg gradle helm jq kubectl mvn mysql node npm npx openssl pandoc pdftotext php pip pnpm poppler psql python3 qpdf rg rsync ruby rustc soffice sqlite3 ssh terraform tesseract tmux uv uvx wget yq".split(
    " ",
  ),
);

/** Reads `metadata.version`, `compatibility`, and the fields in which OpenClaw and Hermes name programs and systems. */
export function readRequirements(fields: Readonly<Record<string, unknown>>): Requirements | undefined {
  const metadata = isRecord(fields["metadata"]) ? fields["metadata"] : {};
  const version = lineOf(metadata["version"] ?? fields["version"], LONGEST_VERSION);
  const compatibility = lineOf(fields["compatibility"], LONGEST_TEXT);
  const claw = ["openclaw", "clawdbot", "clawdis"].map((key) => metadata[key]).find(isRecord) ?? {};
  const required = isRecord(claw["requires"]) ? claw["requires"] : {};
  const before = isRecord(fields["prerequisites"]) ? fields["prerequisites"] : {};
  const named = [...textsIn(required["bins"]), ...textsIn(before["commands"])];
  const programs = [...new Set([...named, ...programsIn(compatibility ?? "")])]
    .filter((name) => PROGRAM.test(name))
    .slice(0, MOST_PROGRAMS);
  const systems = [...textsIn(claw["os"]), ...textsIn(fields["platforms"])].flatMap(
    (name) => SYSTEMS.get(name.toLowerCase()) ?? [],
  );
  if (version === undefined && compatibility === undefined && programs.length + systems.length === 0)
    return undefined;
  return {
    ...(version === undefined ? {} : { version }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(programs.length === 0 ? {} : { programs }),
    ...(systems.length === 0 ? {} : { systems: [...new Set(systems)] }),
  };
}

function lineOf(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return collapseWhiteSpace(String(value)).slice(0, longest) || undefined;
}

function textsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === "string").map((each) => each.trim());
}

/** Of "Requires git, docker, jq, and access to the internet": git, docker, jq. */
function programsIn(text: string): readonly string[] {
  return text.split(/[.;](?:\s|$)/).flatMap((sentence) => {
    const required = /\b(?:requires?|needs?)\b(.*)$/i.exec(sentence)?.[1] ?? "";
    if (/\b(?:or|optional(?:ly)?)\b/i.test(required)) return [];
    return required.split(/[\s,()]+/).filter((word) => KNOWN_PROGRAMS.has(word));
  });
}
