// What the schema of server.json (2025-12-11, of the MCP registry) asks of the fields that we write, and what the registry asks beyond it: no
// npm package has the schema.

const TEXT = (most) => (value) => typeof value === "string" && value.length >= 1 && value.length <= most;
const URI = (value) => typeof value === "string" && URL.canParse(value);
/** Not a range, which the registry refuses. */
const VERSION = (value) => TEXT(255)(value) && /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(value);

const SERVER = {
  $schema: (value) =>
    value === "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: (value) => TEXT(200)(value) && /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(value),
  title: TEXT(100),
  description: TEXT(100),
  version: VERSION,
  repository: (value) => problemsOf(value, { url: URI, source: TEXT(100) }).length === 0,
  websiteUrl: URI,
  packages: (value) => Array.isArray(value) && value.length > 0,
};
const OPTIONAL = ["title", "repository", "websiteUrl"];
const PACKAGE = {
  registryType: (value) => value === "npm",
  registryBaseUrl: (value) => value === "https://registry.npmjs.org",
  identifier: TEXT(214),
  version: VERSION,
  runtimeHint: (value) => value === "npx",
  transport: (value) => problemsOf(value, { type: (type) => type === "stdio" }).length === 0,
};

/** The fields that are missing, wrong or unknown; none for a server.json that the registry takes. */
export function serverJsonProblems(server) {
  const packages = Array.isArray(server.packages) ? server.packages : [];
  return [
    ...problemsOf(server, SERVER, OPTIONAL),
    ...packages.flatMap((one, index) =>
      problemsOf(one, PACKAGE).map((problem) => `packages[${index}].${problem}`),
    ),
    ...packages
      .filter(({ version }) => version !== server.version)
      .map(({ identifier }) => `packages: ${identifier} has another version`),
  ];
}

function problemsOf(value, rules, optional = []) {
  if (typeof value !== "object" || value === null) return ["is no object"];
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(rules, key));
  const wrong = Object.entries(rules)
    .filter(([key]) => Object.hasOwn(value, key) || !optional.includes(key))
    .filter(([key, isRight]) => !isRight(value[key]));
  return [...wrong.map(([key]) => `${key} is wrong`), ...unknown.map((key) => `${key} is unknown`)];
}
