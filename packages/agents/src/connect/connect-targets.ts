import { agentsInOrder } from "../all-agents.ts";
import type { ConnectTarget } from "./connect-form.ts";

/** The order of `connect --list` and docs/connect.md. */
const ORDER: readonly string[] = [
  ...["claude-code", "claude-desktop", "codex", "cursor", "vscode", "vscode-insiders", "gemini-cli"],
  ...["opencode", "windsurf", "zed", "copilot-cli", "qwen-code", "cline", "cline-vscode", "roo-code"],
  ...["kilo", "goose", "kiro", "amp", "droid", "continue", "junie", "crush", "rovo-dev", "nanocoder"],
];

/** Every agent that `connect` can write to. */
export const CONNECT_TARGETS: readonly ConnectTarget[] = agentsInOrder(ORDER).flatMap(
  ({ id, title, connect }) => (connect === undefined ? [] : [{ title, ...connect, id }]),
);
