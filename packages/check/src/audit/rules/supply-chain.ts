import type { Severity } from "#skills";
import { editDistance, isRecord, parseJson } from "#util/pure";
import { weigh } from "../evidence/weigh.ts";
import type { SkillParts } from "../skill-parts.ts";
import { anyOf, DOWNLOAD, ENVIRONMENT_IN_SHELL, INTO_INTERPRETER } from "./patterns.ts";
import type { Report } from "./report.ts";

/** What runs when a package is installed. `prepare` runs for those who develop it. */
const AT_INSTALL = ["preinstall", "install", "postinstall"] as const;
/** Steps that many packages have. */
const USUAL =
  /^(?:npx\s{1,3})?(?:husky|patch-package|prisma generate|electron-builder|playwright install|node-gyp|prebuild-install|nuxt prepare|svelte-kit sync|simple-git-hooks|lefthook install|is-ci|opencollective|(?:npm|pnpm|yarn|bun) run [\w:-]{1,40}|only-allow \w{3,4}|ngcc|expo-\w{1,20}|tsc|fumadocs-mdx|velite|contentlayer)\b/;
const REACHES = anyOf(
  DOWNLOAD,
  INTO_INTERPRETER,
  ENVIRONMENT_IN_SHELL,
  /\bnode\s{1,3}-e\b|\bpython[\d.]{0,4}\s{1,3}-c\b|\beval\b|https?:|\bfetch\s{0,3}\(|\bbase64\b/,
);

export function installScripts({ texts }: SkillParts): readonly Report[] {
  return texts.flatMap(({ path, content }) => {
    if (!/(?:^|\/)package\.json$/.test(path)) return [];
    const value = parseJson(content.text);
    const scripts = isRecord(value) && isRecord(value["scripts"]) ? value["scripts"] : {};
    return AT_INSTALL.flatMap((name): readonly Report[] => {
      const script = scripts[name];
      if (typeof script !== "string" || USUAL.test(script)) return [];
      const line = content.text.split("\n").findIndex((each) => each.includes(`"${name}"`)) + 1;
      const severity: Severity = REACHES.test(script) ? "high" : "low";
      return [{ file: path, ...(line === 0 ? {} : { line }), found: `${name}: ${script}`, severity }];
    });
  });
}

/** Files that a program runs by itself when it starts: Python each line of a `.pth` that begins with `import`. */
export function startFiles({ texts }: SkillParts): readonly Report[] {
  return texts.flatMap(({ path, content }): readonly Report[] => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name.endsWith(".pth")) {
      const at = content.text.split("\n").findIndex((line) => /^import[\s;]/.test(line));
      return at < 0 ? [] : [{ file: path, line: at + 1, found: content.text.split("\n")[at] ?? "" }];
    }
    return name === "sitecustomize.py" || name === "usercustomize.py"
      ? [{ file: path, severity: "medium" }]
      : [];
  });
}

/** Packages that very many people install. */
const POPULAR: readonly string[] = [
  "requests numpy pandas scipy matplotlib selenium django flask fastapi pytest urllib3 boto3 pillow tensorflow pytorch beautifulsoup4 cryptography sqlalchemy",
  "pydantic openai anthropic langchain transformers scikit-learn colorama setuptools virtualenv aiohttp httpx playwright jupyter pyyaml psycopg2 paramiko",
  "lodash express react chalk axios webpack typescript eslint prettier commander electron mongoose moment jquery bootstrap puppeteer nodemon dotenv",
  "cross-env discord.js socket.io graphql tailwindcss vite next vitest jest mocha babel rimraf yargs inquirer ethers web3 node-fetch",
].flatMap((names) => names.split(" "));
const IS_POPULAR: ReadonlySet<string> = new Set(POPULAR);
/** Packages of their own that are close to one of these. */
const OTHERS: ReadonlySet<string> = new Set(
  "psycopg scapy request preact chalks lodash-es expressjs nest nuxt jest-cli mocha-cli vitess vites text nextra flash flasks dask yarg axis reacts dotenvx dot-env pytests colorlog numpyro pandera scipyx mongo mongoosejs momentjs typescript-eslint torch tensorflow-cpu httpx2 http https aiohttp2 playwright-core graphql-tag openapi openaiapi webpacks ether".split(
    " ",
  ),
);
const SHORTEST = 5;
const LONG = 7;
const INSTALL =
  /\b(?:pip[\d.]{0,4}|uv pip|pipx|uv|poetry|npm|pnpm|yarn|bun|conda|pdm)\s{1,5}(?:install|i|add)\s{1,5}([^\n;&|#`)"']{1,300})/gi;

/** A text with more of them repeats itself. */
const MOST_COMMANDS = 300;

export function misspelledPackages({ views }: SkillParts): readonly Report[] {
  return views.flatMap((view) => {
    if (view.isBundled || !/\b(?:install|add|i)\s/.test(view.text)) return [];
    return Array.from(view.text.matchAll(INSTALL))
      .slice(0, MOST_COMMANDS)
      .flatMap(({ 1: names = "", index }) =>
        names.split(/\s{1,20}/).flatMap((given): readonly Report[] => {
          const name = given
            .toLowerCase()
            .replace(/[.,:]$/, "")
            .replace(/(?:\[[^\]]{0,60}\])?(?:(?<=.)[=<>~!@^].{0,60})?$/, "");
          const meant = meantBy(name);
          if (meant === undefined) return [];
          const line = lineAt(view.text, index);
          const why = `The command installs '${name}', which is one slip away from the well-known package '${meant}'. Packages with such names are published to be installed by mistake.`;
          return [
            {
              file: view.path,
              line,
              found: given,
              why,
              severity: weigh({}, "high", { text: names, line }, view),
            },
          ];
        }),
      );
  });
}

/** Owners of packages that agents and their tools come from. */
const SCOPES = [
  "@anthropic-ai",
  "@openai",
  "@google",
  "@modelcontextprotocol",
  "@vercel",
  "@angular",
  "@babel",
  "@types",
  "@supabase",
];

function meantBy(name: string): string | undefined {
  const scope = /^(@[a-z][\w-]{2,40})\//.exec(name)?.[1];
  if (scope !== undefined && !SCOPES.includes(scope))
    return SCOPES.find((known) => known.length > LONG && editDistance(scope, known, 1) === 1);
  if (name.length < SHORTEST || IS_POPULAR.has(name) || OTHERS.has(name) || !/^[a-z][\w.-]{3,40}$/.test(name))
    return undefined;
  return POPULAR.find((known) => known.length >= SHORTEST && (isSwapped(name, known) || isSlip(name, known)));
}

/** One letter more, less or another; a number or a plural at the end makes another name. A short name has many neighbours, unless a letter is doubled. */
function isSlip(name: string, known: string): boolean {
  if (editDistance(name, known, 1) !== 1) return false;
  if (known.length < LONG && name.replaceAll(/(.)\1/g, "$1") !== known.replaceAll(/(.)\1/g, "$1"))
    return false;
  return (
    !/\d$/.test(name) &&
    name !== `${known}s` &&
    (known !== `${name}s` || known.endsWith("ss")) &&
    !name.includes("-")
  );
}

/** Two letters in the wrong order. */
function isSwapped(name: string, known: string): boolean {
  if (name.length !== known.length) return false;
  const at = Array.from(name).findIndex((letter, index) => letter !== known[index]);
  return (
    at >= 0 &&
    name[at] === known[at + 1] &&
    name[at + 1] === known[at] &&
    name.slice(at + 2) === known.slice(at + 2)
  );
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
