// The rules that every source file keeps. Each function returns what breaks one, as lines for people.
import path from "node:path";
import { importsIn, withoutComments } from "./read-sources.mjs";

/** Lowest first: a part may import those before it, and no other. */
export const PARTS = [
  "util",
  "agents",
  "skills",
  "config",
  "usage",
  "sources",
  "search",
  "library",
  "check",
  "install",
  "trust",
  "fleet",
  "telemetry",
  "server",
  "web",
  "cli",
];

/** Nothing but the command line opens these: the others know them by interfaces of their own. */
const BEHIND_PORTS = new Set(["fleet", "telemetry"]);

/** Second entries of parts, for code that must run in a browser or be pure. */
const PURE_ENTRIES = new Set(["#util/pure", "#agents/pure", "#server/wire"]);

/** The one file that puts everything together. */
const COMPOSITION_ROOT = "packages/server/src/compose.ts";

/** The test harness loads these beforehand, which the program loads on demand. */
const PRELOADED = "test/support/in-process.ts";

/** Folders that touch no system: the same input gives the same output, anywhere. */
const PURE =
  /^packages\/(?:util\/src\/pure|agents\/src\/(?:agents|documents|pure)|skills\/src\/(?:skill|catalog|library)|library\/src\/matching|check\/src\/(?:audit|rules)|search\/src\/engine|server\/src\/(?:wire|mcp\/describe))\//;
const PURE_PACKAGES = new Set(["js-yaml", "jsonc-parser", "smol-toml", "node:path/posix"]);
const IMPURE_NAMES =
  /\b(?:process|console|performance)\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(?:Timeout|Interval)\b/;

/** What differs from one system to another stands here, so that every other file is the same on all of them. */
const PLATFORM_FOLDER = "packages/util/src/platform/";
const PLATFORM_NAME =
  /\bprocess\.platform\b|\bos\.platform\(|\bimport \{[^}]*\bplatform\b[^}]*\} from "node:os"/;

/** Only these know the MCP SDK. */
const SDK_PARTS = new Set(["server", "cli"]);

export const partOf = (file) => /^packages\/([^/]+)\//.exec(file)?.[1];
const isTest = (file) => !/^packages\/[^/]+\/src\//.test(file);

/** What one source file breaks. */
export function violationsIn({ file, text }, declaredIn = () => "") {
  const code = withoutComments(text);
  const found = [...importViolations(file, text, declaredIn)];
  if (isTest(file)) return found;
  if (PURE.test(file) && IMPURE_NAMES.test(code)) found.push(`${file}: pure code touches the system`);
  if (!file.startsWith(PLATFORM_FOLDER) && PLATFORM_NAME.test(code))
    found.push(`${file}: asks which system it runs on, outside of ${PLATFORM_FOLDER}`);
  if (/\brealpathSync\(/.test(code))
    found.push(
      `${file}: realpathSync keeps the spelling that it is given, its native form has the one on the disk`,
    );
  if (/\bprocess\.exit\(/.test(code) && file !== "packages/cli/src/main.ts")
    found.push(`${file}: ends the process`);
  if (/\bexport\s+(?:\*|default)/.test(code)) found.push(`${file}: exports are listed by hand`);
  if (/(?:^|\n)(?:export )?let /.test(code)) found.push(`${file}: has module state`);
  if (/(?:^|\/)(?:utils|helpers|manager|common)\.tsx?$/.test(file))
    found.push(`${file}: is named for no idea`);
  if (/\/\*\* ?The same\b/.test(text)) found.push(`${file}: a comment begins with 'The same'`);
  found.push(...sdkViolations(file, code));
  if (file !== COMPOSITION_ROOT && /\bfunction\b[^{;]*[(,]\s*\w+: Services\b/.test(code))
    found.push(`${file}: a function takes every service`);
  return found;
}

function importViolations(file, text, declaredIn) {
  const part = partOf(file);
  return importsIn(text).flatMap(({ specifier, values }) => {
    if (specifier.startsWith("#")) return partViolations(file, part, { specifier, values }, declaredIn);
    if (specifier.startsWith(".")) return pathViolations(file, part, specifier);
    if (isTest(file)) return [];
    if (PURE.test(file) && !PURE_PACKAGES.has(specifier))
      return [`${file}: pure code imports '${specifier}'`];
    if (specifier.startsWith("@modelcontextprotocol/") && !SDK_PARTS.has(part))
      return [`${file}: imports the MCP SDK`];
    return [];
  });
}

function partViolations(file, part, { specifier, values }, declaredIn) {
  const [other] = specifier.slice(1).split("/");
  if (!PARTS.includes(other)) return [`${file}: '${specifier}' is no part`];
  if (isTest(file)) return [];
  if (other === part) return [`${file}: imports its own part as '${specifier}'`];
  if (PARTS.indexOf(other) > PARTS.indexOf(part))
    return [`${file}: imports '${specifier}', which is above it`];
  if (BEHIND_PORTS.has(other) && part !== "cli" && values.length > 0)
    return [`${file}: imports a value of '${specifier}', which only the command line opens`];
  if (part === "web" && !PURE_ENTRIES.has(specifier)) return [`${file}: the page imports '${specifier}'`];
  if (!PURE.test(file) || PURE_ENTRIES.has(specifier)) return [];
  return values
    .filter((name) => !PURE.test(declaredIn(specifier, name)))
    .map((name) => `${file}: pure code imports '${name}' of '${specifier}', which is not pure`);
}

/** The benchmark suite also runs the benchmarks that a part has in a folder of its own. */
function pathViolations(file, part, specifier) {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const other = partOf(target);
  if (other === undefined) return isTest(file) ? [] : [`${file}: imports ${target}`];
  if (part !== undefined && other === part) return [];
  if (file === PRELOADED && other === "cli") return [];
  if (file.startsWith("bench/") && target.startsWith(`packages/${other}/bench/`)) return [];
  return [`${file}: imports ${target} past the index.ts of '${other}'`];
}

const SDK_OBJECT = "(?:server|mcp|protocol|transport|[a-z]\\w*(?:Server|Transport))";

function sdkViolations(file, code) {
  const found = [];
  if (/\bas (?:unknown as )?(?:Request|Response)\b/.test(code))
    found.push(`${file}: fakes a web request or response`);
  if (!code.includes("@modelcontextprotocol/")) return found;
  if (/\bas unknown as\b/.test(code)) found.push(`${file}: casts an object of the SDK`);
  // `_meta` is a field of the protocol.
  if (/[.?]_(?!meta\b)[a-z]\w*|\n\s+(?:readonly )?_(?!meta\b)[a-z]\w*\??[(:]/.test(code))
    found.push(`${file}: uses a private member of the SDK`);
  const assigned = `\\b${SDK_OBJECT}\\.(?!on[a-z]+\\b)\\w+ = |\\bObject\\.assign\\((?:\\w+\\.)*${SDK_OBJECT},`;
  if (new RegExp(assigned).test(code)) found.push(`${file}: assigns to a member of an SDK object`);
  return found;
}
