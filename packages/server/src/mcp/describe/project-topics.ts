import { isRecord, parseJson } from "#util/pure";
/** What a project is about, as far as the names of its files and its manifests tell. */
export interface ProjectTopics {
  /** Languages, tools and kinds of files, in lower case and sorted: a skill whose name or description has one may be wanted. */
  readonly topics: readonly string[];
  /** The packages that it depends on, in lower case and sorted: they count only in a skill's name, as many are plain words. */
  readonly packages: readonly string[];
  /** The files that say so, sorted. */
  readonly files: readonly string[];
}

export const NO_TOPICS: ProjectTopics = { topics: [], packages: [], files: [] };

/** Names at the root of a project that tell what it is made with. */
const BY_NAME: Readonly<Record<string, string>> = {
  "package.json": "javascript node nodejs npm",
  "tsconfig.json": "typescript",
  "deno.json": "deno typescript",
  "bun.lock": "bun",
  "pnpm-lock.yaml": "pnpm",
  "angular.json": "angular",
  "pyproject.toml": "python",
  "requirements.txt": "python",
  "setup.py": "python",
  Pipfile: "python",
  "manage.py": "python django",
  "Cargo.toml": "rust cargo",
  "go.mod": "go golang",
  Gemfile: "ruby",
  "composer.json": "php",
  "pom.xml": "java maven",
  "build.gradle": "java gradle",
  "build.gradle.kts": "kotlin gradle",
  "Package.swift": "swift",
  "pubspec.yaml": "dart flutter",
  "mix.exs": "elixir",
  "CMakeLists.txt": "cmake c++ cpp",
  Dockerfile: "docker",
  "docker-compose.yml": "docker",
  "compose.yaml": "docker",
  "Chart.yaml": "helm kubernetes",
  "kustomization.yaml": "kubernetes",
  "ansible.cfg": "ansible",
  "serverless.yml": "serverless",
  "wrangler.toml": "cloudflare",
  "vercel.json": "vercel",
  "netlify.toml": "netlify",
  "firebase.json": "firebase",
  ".gitlab-ci.yml": "gitlab",
  ".github": "github",
  supabase: "supabase",
  prisma: "prisma",
};

/** By the end of a file's name. `md` and `txt` are left out: every project has some. */
const BY_ENDING: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript react",
  js: "javascript",
  jsx: "javascript react",
  vue: "vue",
  svelte: "svelte",
  py: "python",
  ipynb: "jupyter notebook python",
  go: "go golang",
  rs: "rust",
  java: "java",
  kt: "kotlin",
  swift: "swift",
  xcodeproj: "swift xcode ios",
  rb: "ruby",
  php: "php",
  cs: "csharp c# dotnet",
  csproj: "csharp c# dotnet",
  sln: "csharp c# dotnet",
  cpp: "c++ cpp",
  hpp: "c++ cpp",
  dart: "dart",
  ex: "elixir",
  sql: "sql",
  tf: "terraform",
  sh: "bash shell",
  ps1: "powershell",
  tex: "latex",
  html: "html",
  css: "css",
  scss: "css sass",
  pdf: "pdf",
  docx: "docx word",
  xlsx: "xlsx excel spreadsheet",
  csv: "csv spreadsheet",
  pptx: "pptx powerpoint presentation slides",
};

/** More kinds of files say little about any of them. */
const MOST_ENDINGS = 4;

/** `manifests` are the texts of those named by `MANIFESTS`, by file name. The same files give the same topics in any order. */
export function projectTopics(
  names: readonly string[],
  manifests: ReadonlyMap<string, string>,
): ProjectTopics {
  const known = names.filter((name) => Object.hasOwn(BY_NAME, name));
  const endings = frequentEndings(names);
  const words = [
    ...known.map((name) => BY_NAME[name] ?? ""),
    ...endings.map((ending) => BY_ENDING[ending] ?? ""),
  ];
  const packages = [...manifests].flatMap(([name, text]) => MANIFESTS[name]?.(text) ?? []);
  return {
    topics: sorted(words.flatMap((text) => text.split(" "))),
    packages: sorted(packages.flatMap(wordsOfPackage)),
    files: sorted([...known, ...manifests.keys(), ...endings.map((ending) => `*.${ending}`)]),
  };
}

/** The kinds of files that there are most of, of those that tell something. */
function frequentEndings(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
    if (name.includes(".", 1) && Object.hasOwn(BY_ENDING, ending))
      counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MOST_ENDINGS)
    .map(([ending]) => ending);
}

/** How to read the packages that a project depends on. A text that cannot be read has none. */
export const MANIFESTS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  "package.json": packagesOfNpm,
  "requirements.txt": (text) => [...text.matchAll(/^\s*([A-Za-z][\w.-]*)/gm)].map(([, name = ""]) => name),
  "pyproject.toml": (text) => [...text.matchAll(/^\s*"([A-Za-z][\w.-]*)/gm)].map(([, name = ""]) => name),
  "Cargo.toml": (text) =>
    (text.split(/^\[(?:dev-|build-)?dependencies\]$/m).slice(1) ?? []).flatMap((section) =>
      [...(section.split(/^\[/m)[0] ?? "").matchAll(/^([A-Za-z][\w-]*)\s*=/gm)].map(([, name = ""]) => name),
    ),
  "go.mod": (text) =>
    [...text.matchAll(/^\s*(?:require\s+)?[\w.-]+\/\S*?([A-Za-z][\w-]*)(?:\/v\d+)?\s+v\d/gm)].map(
      ([, name = ""]) => name,
    ),
};

function packagesOfNpm(text: string): readonly string[] {
  const data = parseJson(text);
  if (!isRecord(data)) return [];
  return ["dependencies", "devDependencies"].flatMap((field) => {
    const found = data[field];
    return isRecord(found) ? Object.keys(found) : [];
  });
}

/** `@playwright/test` is about playwright, `react-dom` about react: a scope if there is one, else the first word. */
function wordsOfPackage(name: string): readonly string[] {
  const [scope = "", rest = ""] = name.startsWith("@") ? name.slice(1).split("/") : [name, ""];
  const [word = ""] = (scope === "types" ? rest : scope).toLowerCase().split(/[^a-z0-9]+/);
  return word.length < SHORTEST_PACKAGE ? [] : [word];
}

const SHORTEST_PACKAGE = 3;

function sorted(words: readonly string[]): readonly string[] {
  return [...new Set(words)].filter((word) => word !== "").sort();
}

/** How well a skill fits a project: 2 by its name, 1 by its description, 0 not at all. */
export function createTopicMatch({
  topics,
  packages,
}: ProjectTopics): (name: string, description: string) => 0 | 1 | 2 {
  if (topics.length + packages.length === 0) return () => 0;
  const inNames = new Set([...topics, ...packages]);
  const escaped = topics.map((topic) => topic.replaceAll("+", "\\+"));
  // Without Unicode classes, which take three times as long: 10,000 descriptions are read for a list.
  const inTexts = new RegExp(`\\b(?:${escaped.join("|")})(?![a-z0-9+#])`, "i");
  return (name, description) => {
    const words = name.toLowerCase().split(/[^\p{L}\p{N}+#]+/u);
    if (words.some((word) => inNames.has(word))) return 2;
    return topics.length > 0 && inTexts.test(description.slice(0, DESCRIPTION_LOOKED_AT)) ? 1 : 0;
  };
}

/** Where a description says what a skill is for. */
const DESCRIPTION_LOOKED_AT = 300;
