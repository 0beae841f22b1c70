import { type AtEnd, createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Everything that tries to run when it is shown. */
const HOSTILE = `# Hostile

<script>window.hacked = "script"</script>
<img src="x" onerror="window.hacked = 'img'">
<a href="javascript:window.hacked='link'">Click me</a>
<svg onload="window.hacked = 'svg'"><circle r="9" onclick="window.hacked = 'circle'"/></svg>
<iframe srcdoc="<script>parent.hacked = 'frame'</script>"></iframe>
<style>body { display: none }</style>
<form action="https://evil.invalid"><input name="a" autofocus onfocus="window.hacked = 'focus'"></form>
<details open ontoggle="window.hacked = 'toggle'"><summary>More</summary></details>
<div id="app" style="position: fixed; inset: 0">overlay</div>

[Follow](javascript:window.hacked='markdown') ![pixel](https://evil.invalid/pixel.png)

The end of it.

<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hacked=1&gt;">
`;

/** Too long for a phone, and nowhere to break it. */
export const LONG_WORD = "w".repeat(900);
/** The skill that is full of it. */
export const LONG_NAME = "n".repeat(64);

/** A small shop with skills of every kind: served, shadowed, broken, hostile, too long, and a library. */
export function createShop(atEnd?: AtEnd): Sandbox {
  const sandbox = createSandbox(undefined, atEnd);
  sandbox.skill("project/.claude/skills/pdf", {
    description: "Reads, fills and merges PDF files.",
    body: "# PDF files\n\nSee [the tips](notes/tips.md).\n\n| tool | for |\n|---|---|\n| qpdf | merging |\n",
  });
  sandbox.write("project/.claude/skills/pdf/notes/tips.md", "Keep the original.\n");
  sandbox.write("project/.claude/skills/pdf/logo.png", Buffer.from(PIXEL, "base64"));
  sandbox.skill("home/.claude/skills/pdf", { description: "An older copy." });
  sandbox.skill("project/.codex/skills/release-notes", { description: "Writes release notes." });
  sandbox.skill("project/.claude/skills/hostile", { description: "Is not nice.", body: HOSTILE });
  sandbox.skill(`project/.claude/skills/${LONG_NAME}`, {
    description: `See https://example.test/${LONG_WORD} or ${LONG_WORD}.`,
    body: `# ${LONG_WORD}\n\n${LONG_WORD} \`${LONG_WORD}\` https://example.test/${LONG_WORD}\n`,
  });
  sandbox.write(`project/.claude/skills/${"b".repeat(120)}/SKILL.md`, "Only text.\n");
  sandbox.write("project/.claude/skills/bad/SKILL.md", "Only text.\n\n# What is missing?\n");
  sandbox.write("lib/_root.md", "---\nkeywords: [rules]\ndescription: Rules for all\n---\nBe kind.\n");
  sandbox.write(
    "lib/ui/button.md",
    "---\nkeywords: [button, colour]\ndescription: Buttons\n---\nMake it blue.\n",
  );
  sandbox.write("lib/ui/link.md", "---\nkeywords: [link, colour]\ndescription: Links\n---\nUnderline it.\n");
  return sandbox;
}
