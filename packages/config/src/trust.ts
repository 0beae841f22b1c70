import path from "node:path";
import { keyPath } from "./leaves.ts";
import type { Setting } from "./merge.ts";
import { type Config, DEFAULT_VALUES } from "./settings.ts";

/** The settings of a library's file that take effect, and why the others do not. */
export interface Judged {
  readonly settings: readonly Setting[];
  /** Lines for the log. */
  readonly ignored: readonly string[];
}

export interface Library {
  readonly file: string;
  readonly ownFile: string;
  /** True: whoever may push to the repository writes the file. */
  readonly fromGit: boolean;
  /** Whether the operator trusts the library with SKILLS_TRUST_CONFIG=1. */
  readonly trusted: boolean;
}

/**
 * What a library may decide about the machine that serves it. It may tighten `scripts.*` and never relax it: who writes content
 * does not decide how it is contained. From git, it does not choose what runs scripts or where events are sent either.
 */
export function judgeLibrarySettings(settings: readonly Setting[], library: Library): Judged {
  const judged = settings.map((setting) => ({ setting, ...judge(setting, library) }));
  const keysWith = (verdict: Verdict): readonly string[] => [
    ...new Set(
      judged.flatMap(({ setting: { parts }, verdicts }) =>
        verdicts.includes(verdict) ? [keyPath(parts.slice(0, 2))] : [],
      ),
    ),
  ];
  return {
    settings: judged.flatMap(({ counted }) => counted ?? []),
    ignored: [
      ...line(library, keysWith("never"), "a library may only make scripts more restricted", false),
      ...line(library, keysWith("untrusted"), "a library may only make scripts more restricted", true),
      ...line(library, keysWith("from git"), "the library comes from git", true),
    ],
  };
}

type Verdict = "never" | "untrusted" | "from git";

interface Judgement {
  readonly counted: Setting | undefined;
  /** Why it does not count, or not as a whole. */
  readonly verdicts: readonly Verdict[];
}

function judge(setting: Setting, { fromGit, trusted }: Library): Judgement {
  const counted: Judgement = { counted: setting, verdicts: [] };
  const ignored = (verdict: Verdict): Judgement => ({ counted: undefined, verdicts: [verdict] });
  const [section, key = ""] = setting.parts;
  const { value } = setting;
  const defaults = DEFAULT_VALUES.scripts;
  if (section === "analytics") return fromGit && !trusted ? ignored("from git") : counted;
  if (section !== "scripts") return counted;
  // A library cannot know the folders of this machine.
  if (key === "folders") return ignored("never");
  // Only the operator's own settings are weaker than this one, and they are asked first.
  if (key === "sandbox") return value === "required" ? counted : ignored("never");
  if (trusted) return counted;
  if (key === "runners") {
    if (fromGit) return ignored("from git");
    // The installation of a program becomes readable for scripts, so a library names no path.
    return path.isAbsolute(String(value).trim()) ? ignored("untrusted") : counted;
  }
  if (key === "timeout_seconds" || key === "max_output_bytes") {
    return Number(value) <= defaults[key] ? counted : ignored("untrusted");
  }
  if (key === "allowed_extensions" && Array.isArray(value)) {
    const allowed = value.filter((extension: string) => defaults.allowed_extensions.includes(extension));
    if (allowed.length === value.length) return counted;
    return { counted: { ...setting, value: allowed }, verdicts: ["untrusted"] };
  }
  return counted;
}

function line(
  { file, ownFile }: Library,
  keys: readonly string[],
  reason: string,
  trustHelps: boolean,
): readonly string[] {
  if (keys.length === 0) return [];
  const [was, them] = keys.length === 1 ? ["was", "it"] : ["were", "them"];
  const way = `set ${them} in ${ownFile}${trustHelps ? ", or trust the library with SKILLS_TRUST_CONFIG=1" : ""}`;
  return [`${file}: ${keys.join(", ")} ${was} ignored, because ${reason}; ${way}.`];
}

/** One layer for several libraries: the first that sets a key takes precedence, but of `scripts.*` the tightest value counts. */
export function joinLibraries(layers: readonly (readonly Setting[])[]): readonly Setting[] {
  const joined = new Map<string, Setting>();
  for (const setting of layers.flat()) {
    const key = keyPath(setting.parts);
    const known = joined.get(key);
    if (known === undefined) joined.set(key, setting);
    else if (setting.parts[0] === "scripts") joined.set(key, tighter(known, setting));
  }
  return [...joined.values()];
}

function tighter(first: Setting, second: Setting): Setting {
  const [a, b] = [first.value, second.value];
  if (typeof a === "number" && typeof b === "number") return b < a ? second : first;
  if (Array.isArray(a) && Array.isArray(b)) return { ...first, value: a.filter((each) => b.includes(each)) };
  return b === false ? second : first;
}

/** What libraries decide in effect about where events are sent and what runs scripts: a line for each file, with its place. */
export function libraryDecisions({ values, origins }: Config, files: readonly string[], ownFile: string) {
  const { analytics, scripts } = values;
  const decisions = [
    ...(analytics.enabled && analytics.endpoint !== ""
      ? [["analytics.endpoint", `usage events are sent to ${new URL(analytics.endpoint).origin}`] as const]
      : []),
    ...Object.entries(scripts.runners)
      .filter(([extension, command]) => DEFAULT_VALUES.scripts.runners[extension] !== command)
      .map(([extension, command]) => {
        return [
          keyPath(["scripts", "runners", extension]),
          `${extension} scripts are run by '${command}'`,
        ] as const;
      }),
  ];
  return files.flatMap((file) => {
    const own = decisions.flatMap(([key, text]) => {
      const origin = origins.get(key);
      return origin?.kind === "file" && origin.file === file ? [{ line: origin.line, text }] : [];
    });
    if (own.length === 0) return [];
    const at = own[0]?.line === undefined ? file : `${file}:${own[0].line}`;
    return [
      `${at}: this library decides that ${own.map(({ text }) => text).join(", and that ")}; to decide yourself, set it in ${ownFile}`,
    ];
  });
}
