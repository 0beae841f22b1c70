// The answers of the built search to some questions about some skills, as one digest: it must be the same with every Node.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "./bootstrap.mjs";

const VERBS = [
  "review",
  "convert",
  "deploy",
  "summarise",
  "translate",
  "test",
  "plot",
  "merge",
  "audit",
  "draft",
];
const THINGS = [
  ...["pdf forms", "spreadsheets", "terraform modules", "meeting notes", "invoices", "docker images"],
  ...["sql queries", "presentations", "password policies", "release notes", "travel costs", "log files"],
];
const QUESTIONS = [
  ...["merge two pdf files", "my containers crash on startup", "translate the press kit to klingon"],
  ...[
    "what did we decide in the call yesterday",
    "合并 PDF 文件",
    "das Protokoll zusammenfassen",
    "depl0y dokcer",
  ],
  ...["how much did the journey cost", "a chart of the figures in excel", "pdf", "review", "thanks"],
];

/** Asks with the given Node. */
export function searchAnswers(node) {
  const folder = mkdtempSync(path.join(tmpdir(), "skills-mcp-answers-"));
  try {
    for (const [number, verb] of VERBS.entries()) {
      for (const [other, thing] of THINGS.entries()) {
        const name = `${verb}-${thing.replaceAll(" ", "-")}`;
        const dir = path.join(folder, "skills", name);
        mkdirSync(dir, { recursive: true });
        const after = THINGS[(other * 5 + number) % THINGS.length];
        const body = `# ${name}\n\nFirst look at the ${after}, then ${VERBS[(number + other) % VERBS.length]} them.\n`;
        const description = `Helps to ${verb} ${thing}. Use when someone asks about ${thing} and ${after}.`;
        writeFileSync(
          path.join(dir, "SKILL.md"),
          `---\nname: ${name}\ndescription: ${description}\n---\n${body.repeat(3)}`,
        );
      }
    }
    const environment = { ...process.env, HOME: folder, USERPROFILE: folder };
    const digest = createHash("sha256");
    for (const question of QUESTIONS) {
      const args = [
        path.join(root, "dist/cli.js"),
        "search",
        question,
        "--json",
        "--skill-dir",
        path.join(folder, "skills"),
      ];
      const answer = execFileSync(node, args, { cwd: folder, env: environment, encoding: "utf8" });
      digest.update(answer.replaceAll(folder, ""));
    }
    return digest.digest("hex");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
