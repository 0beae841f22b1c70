import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Another server that makes skills of a folder available, and how it is told which folder. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  /** The first request whose answer needs every skill. */
  readonly listing: Listing;
  readonly start: (skillDir: string, home: string) => PeerStart;
}

export interface Listing {
  readonly method: string;
  readonly params: object;
}

interface PeerStart {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const HERE = path.dirname(fileURLToPath(import.meta.url));
const MODULES = path.join(HERE, "node_modules");

/** The servers that can be measured: what is installed here, and the SDK's own extension. */
export function knownPeers(): readonly Peer[] {
  const tiger = "@tigerdata/tiger-skills-mcp-server";
  const sdk = path.join(HERE, "..", "..", "node_modules", "@modelcontextprotocol", "server");
  return [
    {
      name: tiger,
      version: versionIn(path.join(MODULES, tiger)),
      // Its tools/list knows of no skill; this call reads them.
      listing: { method: "tools/call", params: { name: "view", arguments: { skill_name: ".", path: "" } } },
      start(skillDir, home) {
        const file = path.join(home, "skills.yaml");
        mkdirSync(home, { recursive: true });
        writeFileSync(file, `all:\n  type: local_collection\n  path: ${JSON.stringify(skillDir)}\n`);
        return {
          args: [path.join(MODULES, tiger, "dist/index.js"), "stdio"],
          environment: { SKILLS_FILE: file },
        };
      },
    },
    {
      name: "@modelcontextprotocol/server/ext/skills",
      version: versionIn(sdk),
      // All skills are read before it serves anything.
      listing: { method: "tools/list", params: {} },
      start: (skillDir) => ({
        args: [path.join(HERE, "..", "floor", "sdk-skills-server.mjs"), skillDir],
        environment: {},
      }),
    },
  ];
}

/** Servers of which no package could be found where npm looks; each run looks again and says so. */
export const UNPUBLISHED: readonly { readonly name: string; readonly packages: readonly string[] }[] = [
  { name: "ccski 2.4", packages: ["ccski"] },
  { name: "universal-skills 3.1", packages: ["universal-skills"] },
  { name: "skilljack 0.5", packages: ["@skilljack/mcp", "skilljack-mcp"] },
  { name: "local-skills 1.0", packages: ["local-skills-mcp"] },
  { name: "codemcp 2.3", packages: ["@codemcp/agentskills", "@codemcp/skills"] },
  { name: "agent-skill-loader", packages: ["agent-skill-loader"] },
  { name: "skills-mcp of others", packages: ["skills-mcp"] },
];

function versionIn(folder: string): string {
  try {
    return (JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { version: string })
      .version;
  } catch {
    return "";
  }
}
