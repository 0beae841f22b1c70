// The hosts of the matrix. A host is `{ id, title, program, page, tool, start }`: what it is called, which entry of versions.mjs
// it is, its page in docs/clients, what it calls our `skill` tool, and how it is configured and started. `slash` is how a user
// types a skill's name as a command, where a prompt on the command line may be one.
import { claudeCode } from "./agents/claude-code.mjs";
import { cline } from "./agents/cline.mjs";
import { codex } from "./agents/codex.mjs";
import { continueCli } from "./agents/continue.mjs";
import { copilotCli } from "./agents/copilot-cli.mjs";
import { geminiCli, qwenCode } from "./agents/gemini-cli.mjs";
import { nanocoder } from "./agents/nanocoder.mjs";
import { kilo, opencode } from "./agents/opencode.mjs";

/** What does not depend on how a program shows its tools is checked with its first way alone: `isFirst`. */
export const HOSTS = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  kilo,
  qwenCode,
  copilotCli,
  cline,
  continueCli,
  nanocoder,
].flatMap((ways) => ways.map((host, index) => ({ ...host, isFirst: index === 0 })));
