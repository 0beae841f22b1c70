// Pages with tables whose first columns are facts, and whose last ones are words that people write. The words are kept by the
// first cell of a row; a row that has none yet says so, and a test fails until somebody writes them.
import { code, page, table } from "./markdown.mjs";

const NO_WORDS = "TO BE WRITTEN";

/** The last `count` cells of each row of a page, by its first cell. */
function wordsOf(known, count) {
  const rows = known.split("\n").filter((line) => line.startsWith("| "));
  const cells = rows.map((line) => line.slice(2, -2).split(" | "));
  const words = new Map(cells.map((row) => [row[0], row.slice(-count)]));
  return (key) => words.get(key) ?? Array.from({ length: count }, () => NO_WORDS);
}

export function settingsPage({ SETTINGS }, known) {
  const words = wordsOf(known, 1);
  const rows = SETTINGS.map((setting) => [
    code(setting.key),
    defaultOf(setting),
    setting.allowed.replaceAll("|", "\\|").replaceAll("<", "&lt;"),
    [
      ...(setting.flag ? [code(setting.flag)] : []),
      ...(setting.variable ? [code(setting.variable)] : []),
    ].join("; "),
    setting.restart ? "after a restart" : "at once",
    whoSets(setting),
    ...(setting.help === undefined ? words(code(setting.key)) : [helpOf(setting)]),
  ]);
  return page(
    "Settings",
    "Every setting of `config.yaml`, in the order of `skills-mcp config --all`. [Configuration](configuration.md) says where files are, and which one wins.",
    "*Takes effect* is about a server over HTTP that runs: it uses a changed value at once or after a restart. *A library may* says what counts of a value in the `config.yaml` of a [library](../how-to/library.md); the `.skills-mcp.yaml` of a project may set what is marked as *project*.",
    table(
      ["key", "default", "must be", "flag; variable", "takes effect", "others who may set it", "meaning"],
      rows,
    ),
    "`profiles` is a map of names to [profiles](../how-to/profiles.md#what-a-profile-says).",
  );
}

const helpOf = ({ help }) => help.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function defaultOf({ value, unset }) {
  if (unset !== undefined) return unset.replace(/^\((.*)\)$/, "$1");
  if (value === undefined) return "not set";
  if (value === "") return "none";
  if (Array.isArray(value)) return code(`[${value.join(", ")}]`);
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([key, one]) => `${key}: ${one}`);
    return code(`{${entries.join(", ")}}`);
  }
  return code(value);
}

function whoSets({ project, library }) {
  const library_ =
    library === undefined
      ? []
      : [
          library.tightens
            ? "a library may tighten it"
            : library.notFromGit
              ? "a library that is not from git"
              : "a library",
        ];
  return [...(project ? ["project"] : []), ...library_].join("; ");
}

export function eventsPage({ USAGE_EVENTS }, known) {
  const words = wordsOf(known, 1);
  const rows = USAGE_EVENTS.map(({ type, delivered, fields }) => [
    code(type),
    delivered ? "yes" : "no",
    fields.map(code).join(", "),
    ...words(code(type)),
  ]);
  return page(
    "Usage events",
    "What is recorded of the use of skills. [See what is used](../how-to/usage.md) says where events go and what they never contain.",
    table(["type", "sent to an endpoint", "fields of `data`", "when"], rows),
    "Every event has every field of its row. A value that is not known is `null`, or `[]` for a list.",
  );
}

export function apiPage({ REQUESTS }, known) {
  const words = wordsOf(known, 2);
  const rows = REQUESTS.map(({ request, scope }) => [code(request), code(scope), ...words(code(request))]);
  return page(
    "The dashboard's API",
    "JSON under `/api/v1`, which the dashboard uses and which you can use too. [Use the API](../how-to/dashboard.md#the-api) has examples, the headers of changes, and the errors. The types in [packages/server/src/wire](../../packages/server/src/wire) define every field.",
    "*Needs* is the scope of the caller on a server with [tokens](../how-to/team.md#scopes). Without tokens, changes need the dashboard's key.",
    table(["request", "needs", "example", "answer"], rows),
  );
}
