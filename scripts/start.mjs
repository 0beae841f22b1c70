// `npm start`: shows the bundled examples, and how to connect an agent to this checkout.
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

ensureBuilt();
const cli = path.join(root, "dist", "cli.js");
const examples = path.join(root, "examples", "skills");

console.log("The bundled example skills:\n");
run(process.execPath, [cli, "list", "--no-default-dirs", "--no-plugins", "--skill-dir", examples]);

const server = { command: "node", args: [cli, "mcp"] };
const quoted = cli.includes(" ") ? `"${cli}"` : cli;
console.log(`
Connect an agent to this checkout; each line is all it takes:

  Claude Code   claude mcp add skills -- node ${quoted} mcp
  Codex         codex mcp add skills -- node ${quoted} mcp
  Gemini CLI    gemini mcp add skills node ${quoted} mcp
  VS Code       code --add-mcp '${JSON.stringify({ name: "skills", ...server })}'
  Cursor        in ~/.cursor/mcp.json: ${JSON.stringify({ mcpServers: { skills: server } })}

To serve the examples too, add: --skill-dir ${examples}`);
