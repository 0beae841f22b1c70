import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "continue",
  title: "Continue",
  folders: inBoth(".continue/skills"), // skills
  client: {
    name: "continue",
    measured: {
      pattern: /^continue(?:-cli)?(?:-client)?$/i,
      traits: { reads: { user: [".continue/skills"], project: [".claude/skills", ".continue/skills"] } },
    },
  },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://docs.continue.dev/customize/deep-dives/mcp",
    format: "yaml",
    inList: true,
    user: ["~/.continue/config.yaml"],
    movedBy: ["CONTINUE_GLOBAL_DIR", "config.yaml"],
    folders: ["~/.continue"],
    programs: ["cn"],
    startsScripts: true,
    // docs: headers are among the options of requests.
    remote: (url, { headers }) => ({
      type: "streamable-http",
      url,
      ...(headers === undefined ? {} : { requestOptions: { headers } }),
    }),
    newFile: "name: Local Config\nversion: 1.0.0\nschema: v1\n",
    next: "Start a new session of Continue.",
  },
};
