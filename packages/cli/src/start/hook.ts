import path from "node:path";
import { runHook } from "#search";

/** What Node runs for `skills-mcp hook run <client>`, as dist/hook.js: nothing but what a suggestion needs. */
const [, , , , client = "", ...flags] = process.argv;

// Whatever happens, the prompt is sent: an agent waits for this process, and some take its exit code for a refusal.
process.on("uncaughtException", () => {});
runHook({ client, flags, script: path.join(__dirname, "cli.js") }).catch(() => {});
