import { type Agent, inBoth } from "../agent.ts";
import { addLikeGemini, JSON_SERVERS } from "../connect/entry-forms.ts";
import { entryInMilliseconds, HOOK_LIKE_CLAUDE } from "../hooks/hook-form.ts";

export const agent: Agent = {
  id: "qwen-code",
  title: "Qwen Code",
  provider: "qwen",
  instructions: ["QWEN.md"], // not checked
  folders: inBoth(".qwen/skills"), // skills
  client: {
    name: "qwen-code",
    measured: {
      pattern: /^qwen\b/i,
      traits: {
        listIn: ["instructions", "description"],
        budgets: { description: 20_000, instructions: 8_000 },
        reads: inBoth(".agents/skills", ".qwen/skills"),
        answerLimit: { count: 26_000, unit: "characters" },
      },
    },
  },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/",
    tokenEnv: { header: (variable) => `Bearer $${variable}` }, // docs
    user: ["~/.qwen/settings.json"],
    movedBy: ["QWEN_HOME", "settings.json"],
    project: [".qwen/settings.json"],
    folders: ["~/.qwen"],
    programs: ["qwen"],
    startsScripts: true,
    // Without `alwaysLoadTools` the model has to search for the tool before it sees a skill.
    local: (command, args) => ({ command, args, alwaysLoadTools: true }),
    remote: (httpUrl, headers) => ({ httpUrl, ...headers, alwaysLoadTools: true }),
    settings: { alwaysLoadTools: "the model sees the skills at once" },
    add: addLikeGemini("qwen"),
    next: "Start Qwen Code again; /mcp shows the server.",
  },
  hook: {
    ...HOOK_LIKE_CLAUDE,
    documentation: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/",
    entry: entryInMilliseconds,
    user: ["~/.qwen/settings.json"],
    movedBy: ["QWEN_HOME", "settings.json"],
    project: [".qwen/settings.json"],
    tool: "mcp__skills__skill",
    native: "load it with the skill tool of your own",
    next: "Start Qwen Code again; /hooks shows the hook.",
  },
};
