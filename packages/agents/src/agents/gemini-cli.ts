import { isRecord } from "#util/pure";
import { type Agent, inBoth } from "../agent.ts";
import { addLikeGemini, JSON_SERVERS } from "../connect/entry-forms.ts";
import { entryInMilliseconds } from "../hooks/hook-form.ts";

export const agent: Agent = {
  id: "gemini-cli",
  title: "Gemini CLI",
  provider: "gemini",
  instructions: ["GEMINI.md"], // docs
  folders: inBoth(".gemini/skills"), // skills, docs
  // Source: docs/extensions/reference.md of google-gemini/gemini-cli.
  plugins: {
    dir: ".gemini/extensions",
    levels: ["plugin"],
    manifests: ["gemini-extension.json"],
    namedByManifest: true,
    linkFile: ".gemini-extension-install.json",
    settings: {
      file: ".gemini/extensions/extension-enablement.json",
      format: "JSON",
      howToEnable:
        (enablement) =>
        ({ name }, cwd) =>
          isEnabledFor(enablement, name, cwd)
            ? undefined
            : `Run \`gemini extensions enable ${name}\` to serve its skills.`,
    },
  },
  client: {
    name: "gemini-cli",
    measured: {
      pattern: /^gemini\b/i,
      traits: {
        reads: inBoth(".agents/skills", ".gemini/skills"),
        readsPlugins: ["gemini"],
        answerLimit: { count: 40_000, unit: "characters" },
      },
    },
  },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://geminicli.com/docs/tools/mcp-server/",
    tokenEnv: { header: (variable) => `Bearer $${variable}` }, // docs
    user: ["~/.gemini/settings.json"],
    movedBy: ["GEMINI_CLI_HOME", ".gemini/settings.json"],
    project: [".gemini/settings.json"],
    folders: ["~/.gemini"],
    programs: ["gemini"],
    startsScripts: true,
    remote: (httpUrl, headers) => ({ httpUrl, ...headers }),
    add: addLikeGemini("gemini"),
    next: "Start Gemini CLI again; /mcp shows the server. It starts servers in trusted folders only.",
  },
  hook: {
    documentation: "https://geminicli.com/docs/hooks/reference/",
    event: "BeforeAgent",
    entry: entryInMilliseconds,
    flatAnswer: false,
    user: ["~/.gemini/settings.json"],
    movedBy: ["GEMINI_CLI_HOME", ".gemini/settings.json"],
    project: [".gemini/settings.json"],
    tool: "mcp_skills_skill",
    native: "load it with the activate_skill tool",
    next: "Start Gemini CLI again; /hooks shows the hook.",
  },
  run: {
    program: "gemini",
    args: (prompt) => [
      ...["-p", prompt, "--output-format", "stream-json", "--allowed-mcp-server-names", "skills"],
    ],
  },
};

/** `{<name>: {overrides: ["/a/*", "!/a/b/"]}}`: the last rule for a folder wins, `!` turns off, `*` is everything below. */
function isEnabledFor(enablement: unknown, name: string, cwd: string): boolean {
  const entry = isRecord(enablement) && Object.hasOwn(enablement, name) ? enablement[name] : undefined;
  const overrides = isRecord(entry) ? entry["overrides"] : undefined;
  if (!Array.isArray(overrides)) return true;
  const rules = overrides.filter((rule) => typeof rule === "string");
  const place = `/${cwd.replaceAll("\\", "/").replace(/^\/+|\/+$/g, "")}/`;
  const last = rules.findLast((rule) => {
    const folder = rule.replace(/^!/, "");
    return folder.endsWith("*") ? place.startsWith(folder.slice(0, -1)) : place === folder;
  });
  return last === undefined || !last.startsWith("!");
}
