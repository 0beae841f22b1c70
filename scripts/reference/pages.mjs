// Pages that follow from the code alone.
import { cell, code, page, table } from "./markdown.mjs";

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[.;]$/, "")}.`;

export function commandsPage({ COMMANDS, SHARED_FLAGS, helpOf }) {
  const index = COMMANDS.map(({ name, aliases, summary }) => [
    `[${code(name)}](#${name})`,
    aliases.map(code).join(", "),
    cell(summary),
  ]);
  return page(
    "Commands",
    "What `skills-mcp <command> --help` prints. Bare `skills-mcp` serves MCP on stdio; on a terminal it shows `status`.",
    table(["command", "also", "does"], index),
    ...COMMANDS.map((command) => `## ${command.name}\n\n\`\`\`text\n${helpOf(command).trimEnd()}\n\`\`\``),
    `## Shared flags\n\nWhat \`skills-mcp help flags\` prints.\n\n\`\`\`text\n${SHARED_FLAGS.trimEnd()}\n\`\`\``,
  );
}

const LISTED = {
  "files-unreachable": "Listed where the client cannot open the files of a skill itself.",
  "list-cut": "Listed where the list of skills does not fit.",
};

export function toolsPage({ TOOL_SETS, TOOL_FACTS, TOOL_DEFINITIONS }) {
  const sets = Object.keys(TOOL_SETS).map((set) => {
    const names = TOOL_FACTS.filter((facts) => facts.set === set).map(({ name }) => name);
    return `## Set \`${set}\`\n\n${names.map((name) => toolText(name, TOOL_FACTS, TOOL_DEFINITIONS)).join("\n\n")}`;
  });
  return page(
    "Tools",
    "The MCP tools as clients get them. `--tools` takes the names of sets, the names of tools, or `all`. `{skills}` and `{count}` in a description stand for the skills that are served.",
    ...sets,
  );
}

function toolText(name, allFacts, definitions) {
  const { title, description, inputSchema, outputSchema, annotations = {} } = definitions[name];
  const { scope = "skills:read", listedWhen } = allFacts.find((facts) => facts.name === name);
  const required = new Set(inputSchema.required ?? []);
  const parameters = Object.entries(inputSchema.properties ?? {}).map(([parameter, schema]) => [
    code(parameter),
    typeOf(schema),
    required.has(parameter) ? "yes" : "no",
    cell(schema.description ?? ""),
  ]);
  const answer = Object.keys(outputSchema?.properties ?? {}).filter(
    (key) => key !== "error" && key !== "message",
  );
  const effect = annotations.readOnlyHint ? "It changes nothing." : "It may change something.";
  return [
    `### \`${name}\``,
    `${title}. Scope \`${scope}\`. ${effect}${listedWhen === undefined ? "" : ` ${LISTED[listedWhen]}`}`,
    quoted(description),
    ...(parameters.length === 0
      ? ["It has no parameters."]
      : [table(["parameter", "type", "required", "meaning"], parameters)]),
    ...(answer.length === 0 ? [] : [`The structured answer has ${answer.map(code).join(", ")}.`]),
  ].join("\n\n");
}

const quoted = (text) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

function typeOf({ type, enum: values, minimum, maximum, items, default: fallback }) {
  const name =
    values !== undefined
      ? values.map(code).join(", ")
      : type === "array"
        ? `list of ${items?.type ?? "values"}`
        : type;
  const range = minimum === undefined || maximum === undefined ? "" : `, ${minimum} to ${maximum}`;
  return `${name}${range}${fallback === undefined ? "" : `, default ${code(fallback)}`}`;
}

export function auditPage({ ALL_RULES }) {
  const categories = [...new Set(ALL_RULES.map(({ category }) => category))].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  const parts = categories.map((category) => {
    const rules = ALL_RULES.filter((rule) => rule.category === category).toSorted((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    const rows = rules.map(({ id, severity, title, why, fix }) => [
      `<a id="${id}"></a>${code(id)}`,
      severity,
      cell(title),
      cell(`${why} ${fix}`),
    ]);
    return `## ${sentence(category.replaceAll("-", " ")).slice(0, -1)}\n\n${table(["rule", "usual severity", "finds", "why, and what to do"], rows)}`;
  });
  return page(
    "Audit rules",
    `The ${ALL_RULES.length} rules of \`skills-mcp audit\`. A finding may be worse or milder than usual, by its place and its words. [Audit skills](../how-to/audit.md) says how to read and suppress them.`,
    ...parts,
  );
}

const FIELDS_OF = {
  specification: "defined by the [Agent Skills specification](https://agentskills.io/specification)",
  invocation: "who may use the skill, and how: [what the author says](skills.md#what-the-author-says)",
  hosts: "read by some agents; skills-mcp shows and never enforces them",
  search: "read by the [search](../explanation/search.md)",
};

export function skillFilePage({ FIELDS, BROKEN_SKILLS }) {
  const fields = Object.entries(FIELDS_OF).map(([group, meaning]) => [
    FIELDS[group].map(code).join(", "),
    meaning,
  ]);
  const rules = BROKEN_SKILLS.map(({ rule, severity, message }) => [
    `<a id="${rule}"></a>${code(rule)}`,
    severity,
    cell(message.length > 300 ? `${message.slice(0, 299)}…` : message),
  ]);
  return page(
    "The skill file",
    "What a `SKILL.md` may contain, and what `skills-mcp validate` says of it. [How skills are found and read](skills.md) has the decisions behind it.",
    `## Front matter\n\nAny other field is advice to fix or to move below \`metadata\`.\n\n${table(["fields", "meaning"], fields)}`,
    `## Rules of validate\n\nEach rule with what it says of an example. \`validate\` exits with 1 if there is an error.\n\n${table(["rule", "severity", "what it says of an example"], rules)}`,
    "`codex-settings` checks `agents/openai.yaml`, `other-writers` finds files that [others may change](skills.md#who-else-may-change-a-skill), and `template` finds sentences that `skills-mcp new` wrote for you to replace.",
  );
}
