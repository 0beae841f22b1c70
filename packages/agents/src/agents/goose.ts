import type { Agent } from "../agent.ts";
import { ENTRY_NAME } from "../connect/entry-forms.ts";
import type { ConfigEntry } from "../documents/document.ts";

export const agent: Agent = {
  id: "goose",
  title: "Goose",
  instructions: [".goosehints"], // not checked
  folders: { project: [".goose/skills"], user: [".config/goose/skills"] }, // skills
  client: { name: "goose" },
  connect: {
    documentation: "https://block.github.io/goose/docs/guides/config-files",
    format: "yaml",
    keys: ["extensions"],
    user: { win32: ["<app>/Block/goose/config/config.yaml"], unix: ["<config>/goose/config.yaml"] },
    folders: { win32: ["<app>/Block/goose"], unix: ["<config>/goose"] },
    programs: ["goose"],
    local: (cmd, args) => extension("stdio", { cmd, args }),
    remote: (uri, headers) => extension("streamable_http", { uri, ...headers }),
    next: "Start a new session of Goose; `goose info -v` shows the extension.",
  },
};

function extension(type: string, more: ConfigEntry): ConfigEntry {
  return { enabled: true, type, name: ENTRY_NAME, description: "Agent Skills", ...more, timeout: 300 };
}
