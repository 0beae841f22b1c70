import { expect, test } from "vitest";
import { authorLines } from "../../../src/mcp/answers/skill-header.ts";

const DIR = "${CLAUDE_SKILL_DIR}";
const ROOT = "${CLAUDE_PLUGIN_ROOT}";
const NOT_RUN =
  "Commands: the text has commands as !`command`; they were not run, so their output is missing";
const HEAD = `---\nname: a\ndescription: A, in ${DIR} with !\`ls\`.\n---\n`;

test.each([
  ["nothing", "Just text!", undefined, []],
  ["the skill's folder", `Run ${DIR}/scripts/x.sh`, undefined, [`${DIR}: /skills/a`]],
  ["the plugin's folder", `Run ${ROOT}/bin/x`, "/plugins/p", [`${ROOT}: /plugins/p`]],
  [
    "a plugin's folder where there is none",
    `Run ${ROOT}/bin/x`,
    undefined,
    [`${ROOT}: not set, because the skill comes from no plugin`],
  ],
  ["a command", "Changes: !`git diff`", undefined, [NOT_RUN]],
  ["a command at the start of a line", "!`git diff`", undefined, [NOT_RUN]],
  ["a block of commands", "```!\ngit diff\n```", undefined, [NOT_RUN]],
  ["an exclamation mark before code, which is no command", "Look out!`x`", undefined, []],
  ["everything", `${DIR} ${ROOT} !\`ls\``, "/p", [`${DIR}: /skills/a`, `${ROOT}: /p`, NOT_RUN]],
])(
  "header lines for a body with %s; the front matter is not searched",
  (_what, body, pluginRoot, expected) => {
    const loaded = {
      text: HEAD + body,
      bodyStart: HEAD.length,
      baseDirectory: "/skills/a",
      isRemote: false,
      ...(pluginRoot === undefined ? {} : { pluginRoot }),
    };
    expect(authorLines(loaded)).toEqual(expected);
  },
);
