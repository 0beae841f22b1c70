// Everything that a release uploads, written as `npm run release` does and used with the tool or the rules of each: npm, the MCP registry,
// mcpb, Claude Code, Codex, Gemini CLI, CycloneDX, GitHub Actions, pre-commit, Helm. Loopback and the npm registry only.
//   npm run check:release                  all
//   npm run check:release -- mcpb helm     some
import { ensureBuilt } from "./bootstrap.mjs";

ensureBuilt();
// It imports packages, which a fresh clone does not have before.
await import("./release/check-all.mjs");
