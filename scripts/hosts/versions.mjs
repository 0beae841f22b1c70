// The versions of the hosts, and of the Node that some of them need. docs/clients names them; after a change here run
// `npm run check:hosts -- --write-docs`.
import path from "node:path";
import { installTools } from "../install-tools.mjs";

const VERSIONS = {
  claude: { "@anthropic-ai/claude-code": "2.1.326" },
  cline: { cline: "3.0.65" },
  codex: { "@openai/codex": "0.169.0" },
  continue: { "@continuedev/cli": "1.5.47" },
  copilot: { "@github/copilot": "1.0.102" },
  gemini: { "@google/gemini-cli": "0.61.0" },
  // The program is in the package for the platform, which is not always published with the other one.
  kilo: { [`@kilocode/cli-${process.platform}-${process.arch}`]: "7.7.9", "@kilocode/cli": "7.8.1" },
  nanocoder: { "@nanocollective/nanocoder": "1.30.0" },
  node22: { node: "22.23.3" },
  opencode: { "opencode-ai": "1.18.33" },
  qwen: { "@qwen-code/qwen-code": "0.24.4" },
};

/** Each has a folder of its own in node_modules/.cache/hosts; together they take about 3 GB. */
export function installHost(program) {
  const folder = installTools(
    `hosts/${program}`,
    VERSIONS[program],
    program === "kilo" ? ["--ignore-scripts"] : [],
  );
  return (bin) => path.join(folder, ".bin", bin);
}

export const versionOf = (program) => Object.values(VERSIONS[program])[0];
