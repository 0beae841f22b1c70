import type { Severity } from "#skills";
import { findInvisibleCharacters } from "#util/pure";
import { findFileLinks } from "../../rules/links.ts";
import { findSecrets } from "../../rules/secrets.ts";
import type { FileContent } from "../audited-skill.ts";
import type { FileView } from "../evidence/file-view.ts";
import type { RuleInfo } from "../rule.ts";
import type { SkillParts } from "../skill-parts.ts";
import { decodePieces } from "../text/decode.ts";
import { kindOf } from "../text/units.ts";
import { likelyMeant } from "./known-names.ts";
import { SCRIPT_NETWORK } from "./network.ts";
import type { Report } from "./report.ts";
import { commandsAtLoad, rateCommand } from "./substitution.ts";
import { installScripts, misspelledPackages, startFiles } from "./supply-chain.ts";
import { rateTools } from "./tools.ts";

/** A rule that looks at a whole skill. */
export interface SkillRule extends RuleInfo {
  check(skill: SkillParts): readonly Report[];
}

/** Hidden text is made of many characters; a single one is mostly an accident of copying. */
const MANY = 4;

export const SKILL_RULES: readonly SkillRule[] = [
  {
    id: "hidden-characters",
    category: "hidden-text",
    severity: "medium",
    title: "characters that people cannot see",
    why: "The text has characters that people do not see and models read, so it may say something that nobody reviewed.",
    fix: "Remove them; `skills-mcp info --full` shows them as escapes.",
    check: ({ texts, isAboutAttacks, skillFile }) =>
      texts.flatMap(({ path, content }) =>
        hiddenIn(path, content.text).map((report) =>
          // A text that explains them has some.
          isAboutAttacks && report.severity !== "critical"
            ? {
                ...report,
                severity:
                  path === skillFile && report.severity !== "low" ? ("medium" as const) : ("low" as const),
              }
            : report,
        ),
      ),
  },
  {
    id: "encoded-text",
    category: "encoded-code",
    severity: "high",
    title: "an encoded text that is a command or an instruction",
    why: "An encoded piece of text decodes to a command or an instruction. Nobody who reads the skill can see it.",
    fix: "Read the decoded text above; replace the encoded piece by the plain text.",
    check: ({ views }) => views.filter(({ isBundled }) => !isBundled).flatMap(encodedIn),
  },
  {
    id: "secret",
    category: "secrets",
    severity: "medium",
    title: "a credential in the text",
    why: "The text has what looks like a credential, which everybody who has the skill can use.",
    fix: "If it is real, revoke it and let the user's environment provide it; if it is a sample, write it so that it cannot be taken for one.",
    check: ({ texts, isAboutAttacks, skillFile }) =>
      texts.flatMap(({ path, content }) => {
        const isSample = isAboutAttacks && path !== skillFile && kindOf(path, content.text) === "prose";
        return [
          ...findSecrets(content.text).map(({ kind, line }) => ({
            file: path,
            line,
            why: `This looks like ${kind}.`,
            ...(isSample ? { severity: "low" as const } : {}),
          })),
          ...passwordsIn(path, content.text),
        ];
      }),
  },
  {
    id: "broad-tools",
    category: "tools",
    severity: "low",
    title: "`allowed-tools` that allow any command",
    why: "`allowed-tools` lets the agent do these things without asking while the skill is in use.",
    fix: "Allow only the commands that the skill needs, such as `Bash(git status:*)`.",
    check(skill) {
      const { own, parsed } = skill;
      if (parsed === undefined) return [];
      const line = own.split("\n").findIndex((each) => /^allowed[-_]?tools\s{0,5}:/i.test(each)) + 1;
      return rateTools(parsed.fields["allowed-tools"] ?? parsed.fields["allowed_tools"]).map((rated) => ({
        file: skill.skillFile,
        ...(line === 0 ? {} : { line }),
        ...rated,
      }));
    },
  },
  {
    id: "command-at-load",
    category: "substitution",
    severity: "medium",
    title: "a command that runs when the skill is loaded",
    why: "Some agents run this command when they load the skill, before anybody sees it.",
    fix: "Let the agent run the command as a step that the user can see, or keep it to one that only reads.",
    check: (skill) =>
      commandsAtLoad(skill.own).map(({ command, line }) => ({
        file: skill.skillFile,
        line,
        found: command,
        severity: rateCommand(command),
      })),
  },
  {
    id: "missing-file",
    category: "links",
    severity: "low",
    title: "a link to a file that the skill does not have",
    why: "The text leads to a file that the skill does not have, so the agent may fetch or make up one.",
    fix: "Add the file, or correct the link.",
    check: missingFiles,
  },
  {
    id: "similar-name",
    category: "names",
    severity: "medium",
    title: "a name that is almost that of a well-known skill",
    why: "The name differs little from that of a well-known skill, so people may take it for that one.",
    fix: "Check where the skill comes from; if it is your own, choose a name that cannot be confused.",
    check(skill) {
      const { parsed } = skill;
      if (parsed === undefined) return [];
      const meant = likelyMeant(parsed.name);
      if (meant === undefined) return [];
      const why = `The name '${parsed.name}' differs little from that of the well-known skill '${meant}', so people may take it for that one.`;
      return [{ file: skill.skillFile, found: parsed.name, why }];
    },
  },
  {
    id: "unmentioned-program",
    category: "executables",
    severity: "low",
    title: "an executable file that no text mentions",
    why: "The file can be run, and no text of the skill mentions it, so nobody knows what it is for.",
    fix: "Remove it, or say in the skill what it does.",
    check: unmentionedPrograms,
  },
  {
    id: "compiled-program",
    category: "executables",
    severity: "medium",
    title: "a compiled program",
    why: "A compiled program cannot be reviewed.",
    fix: "Ship the source, or install the program from a package registry.",
    check: ({ files }) =>
      files.flatMap(({ path, content }) =>
        content.kind === "binary" && content.program ? [{ file: path }] : [],
      ),
  },
  SCRIPT_NETWORK,
  {
    id: "install-script",
    category: "remote-code",
    severity: "low",
    title: "a script that runs when packages are installed",
    why: "The package manager runs this script during the installation, without a question.",
    fix: "Read the script, or install with `--ignore-scripts`.",
    check: installScripts,
  },
  {
    id: "start-file",
    category: "damage",
    severity: "high",
    title: "a file that Python runs at each start",
    why: "Python runs this file at each start, in every program that uses the environment.",
    fix: "Read the file, and do not copy it into an environment before.",
    check: startFiles,
  },
  {
    id: "misspelled-package",
    category: "names",
    severity: "high",
    title: "installs a package whose name is almost a well-known one",
    why: "The name of the package is one slip away from that of a well-known one.",
    fix: "Check the name at the registry; correct it, or say in the skill why it is meant.",
    check: misspelledPackages,
  },
  {
    id: "script-in-picture",
    category: "executables",
    severity: "high",
    title: "commands in a file that is named as a picture or an archive",
    why: "The file has the name of a picture or an archive, and commands in it, so nobody who looks at the names of the files expects code there.",
    fix: "Open the file as text and read it before anything runs it.",
    check: scriptsInPictures,
  },
  {
    id: "bundled-code",
    category: "coverage",
    severity: "info",
    title: "minified code, or code of a library",
    why: "The file is minified or a copy of a library: the rules were not applied to it, because nobody can read it.",
    fix: "Compare it with the library's own release if the skill runs it.",
    check: ({ views, texts }) =>
      views.flatMap(({ path, isBundled }) =>
        isBundled
          ? [{ file: path, severity: isStarted(path, texts) ? ("medium" as const) : ("info" as const) }]
          : [],
      ),
  },
  {
    id: "not-audited",
    category: "coverage",
    severity: "medium",
    title: "something that the audit did not read",
    why: "The audit did not read all of it.",
    fix: "Read it yourself, or remove it from the skill.",
    check: ({ files, notRead, views }) => [
      ...notRead.map(({ path, reason }) => ({ file: path, why: reason })),
      ...files.flatMap(({ path, content }) => {
        const why = whyNotRead(path, content);
        // What is bundled is reported as that.
        const isBundled = views.some((view) => view.isBundled && view.path === path);
        return why === undefined || isBundled ? [] : [{ file: path, why }];
      }),
    ],
  },
];

const SCRIPT = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd|lua)$/i;

function whyNotRead(path: string, content: FileContent): string | undefined {
  if (content.kind === "unread") return `The audit did not read this file: ${content.reason}.`;
  if (content.kind === "text")
    return content.cut === true ? "The audit read only the beginning of this long file." : undefined;
  return SCRIPT.test(path)
    ? "The file has the name of a script and the content of binary data, which the audit did not read."
    : undefined;
}

const INTERPRETER =
  "(?:(?:ba|z|da|k)?sh|python[\\d.]{0,4}|node|bun|deno run|perl|ruby|php|source|pwsh|powershell|\\.)";

/** A text or script starts the file by its name, or loads it. */
function isStarted(path: string, texts: SkillParts["texts"]): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const starts = new RegExp(
    `(?:${INTERPRETER}\\s{1,3}(?:-\\S{1,20}\\s{1,3}){0,3}|\\b(?:require|import)\\s{0,3}\\(?\\s{0,3}|\\bfrom\\s{1,3}|(?:^|[\\s\`;&|])(?=\\./))["'\`]?[\\w./~$-]{0,200}${escaped(name)}(?![\\w.])`,
  );
  return texts.some(({ content }) => content.text.includes(name) && starts.test(content.text));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const PICTURE_NAME = /\.(?:png|jpe?g|gif|bmp|ico|webp|pdf|mp[34]|wav|ttf|woff2?|zip|gz|docx|xlsx)$/i;

function scriptsInPictures({ files }: SkillParts): readonly Report[] {
  return files.flatMap(({ path, content }): readonly Report[] =>
    PICTURE_NAME.test(path) && content.kind === "text" && LOOKS_LIKE_SHELL.test(content.text)
      ? [{ file: path }]
      : [],
  );
}

const LOOKS_LIKE_SHELL =
  /(?:^|\n)\s{0,9}(?:#!|curl\s|wget\s|eval\s|exec\s|import\s|bash\s|sh\s|rm\s|cat\s|python)/;

function hiddenIn(file: string, text: string): readonly Report[] {
  const found = findInvisibleCharacters(text);
  if (found.length === 0) return [];
  const lines = text.split("\n");
  const byLine = new Map<number, { readonly kinds: Set<string>; count: number }>();
  let line = 0;
  let end = lines[0]?.length ?? 0;
  for (const { offset, kind } of found) {
    while (offset > end && line < lines.length - 1) end += 1 + (lines[++line]?.length ?? 0);
    const known = byLine.get(line) ?? { kinds: new Set(), count: 0 };
    known.kinds.add(kind);
    known.count++;
    byLine.set(line, known);
  }
  return [...byLine].slice(0, 10).map(([at, { kinds, count }]) => ({
    file,
    line: at + 1,
    severity: rateInvisible(kinds, count),
    found: lines[at] ?? "",
    why: `The line has ${count === 1 ? "a character" : `${count} characters`} (${[...kinds].sort().join(", ")}) that people do not see and models read.`,
  }));
}

function rateInvisible(kinds: ReadonlySet<string>, count: number): Severity {
  if (kinds.has("tag")) return "critical";
  if (kinds.has("bidi")) return count > 1 ? "high" : "low";
  if (kinds.size === 1 && (kinds.has("control") || kinds.has("bom"))) return "low";
  return count >= MANY ? "high" : "low";
}

/** A command, or an instruction to a model, behind an encoding. */
const TELLING =
  /\b(?:curl|wget|bash|sh -c|powershell|iex|invoke-\w{3,20}|eval|exec|import os|subprocess|child_process|require\s{0,3}\(|os\.system|nc -|rm -rf|chmod|sudo|\/bin\/\w{0,2}sh|id_rsa|\.ssh|ignore (?:all|previous|the)|do not tell|send the|net\.webclient|socket|~\/\.\w{2,10}|credentials|without asking|(?:ignore|obey|disregard) the (?:user|system)|(?:upload|send|copy|append|print) (?:it|the|all|every|them)\b)/i;

function encodedIn(view: FileView): readonly Report[] {
  return decodePieces(view.text)
    .filter((piece) => TELLING.test(piece.text))
    .slice(0, 10)
    .map((piece) => {
      const place = view.places.at(piece.line);
      // A block may hold it as well as a sentence, so that it is shown is no excuse; that a text teaches it is.
      const isTaught = view.isAboutAttacks && view.kind === "prose";
      const severity = isTaught ? (view.isOwn ? "medium" : "low") : "high";
      return {
        file: view.path,
        line: piece.line,
        found: piece.text,
        severity: place === "mention" || view.isTest ? ("low" as const) : severity,
      };
    });
}

const PASSWORD_IN_ADDRESS =
  /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?|ftp|https?|ssh):\/\/[\w.+-]{1,60}:([^\s@/:'"`<>${}]{6,100})@([\w.-]{1,120})/gi;
const NO_PASSWORD =
  /pass|secret|pwd|user|example|xxx|\*\*|token|changeme|postgres|admin|root|guest|mysql|dbpw|your|test|foo|bar|demo|local|redis|mongo|key|abc|1234|hunter/i;

function passwordsIn(file: string, text: string): readonly Report[] {
  if (!text.includes("@") || !text.includes("://")) return [];
  return Array.from(text.matchAll(PASSWORD_IN_ADDRESS))
    .filter(
      ([, password = "", host = ""]) =>
        !NO_PASSWORD.test(password) &&
        !/localhost|127\.|example|^db$|^host$/i.test(host) &&
        /\d/.test(password) &&
        /[a-z]/i.test(password),
    )
    .slice(0, 5)
    .map(({ index }) => ({
      file,
      line: text.slice(0, index).split("\n").length,
      why: "This looks like an address with a password.",
    }));
}

function missingFiles(skill: SkillParts): readonly Report[] {
  const paths = new Set(skill.files.map(({ path }) => path));
  const folders = new Set(
    [...paths].flatMap((path) =>
      path
        .split("/")
        .slice(0, -1)
        .map((_, depth, parts) => parts.slice(0, depth + 1).join("/")),
    ),
  );
  return findFileLinks(skill.own).flatMap(({ path, target, line }) => {
    if (path === undefined || path === "." || paths.has(path) || folders.has(path)) return [];
    if (skill.notRead.some((other) => path.startsWith(other.path))) return [];
    return [{ file: skill.skillFile, line, found: target }];
  });
}

const LOOKS_RUNNABLE = /^#!/;

function unmentionedPrograms(skill: SkillParts): readonly Report[] {
  return skill.files.flatMap(({ path, executable, content }) => {
    if (path === skill.skillFile || content.kind === "unread") return [];
    const isScript =
      content.kind === "text" &&
      (LOOKS_RUNNABLE.test(content.text) || (executable && kindOf(path, content.text) === "code"));
    const isProgram = content.kind === "binary" && (executable || content.program);
    if (!isScript && !isProgram && !(executable && content.kind === "text" && !/\.\w{1,5}$/.test(path)))
      return [];
    const name = path.slice(path.lastIndexOf("/") + 1);
    const stem = name.replace(/\.\w{1,8}$/, "");
    const isMentioned = skill.texts.some(
      (other) =>
        other.path !== path &&
        (other.content.text.includes(name) || (stem.length > 3 && other.content.text.includes(stem))),
    );
    if (isMentioned) return [];
    const isHidden = path.split("/").some((part) => part.startsWith("."));
    return [{ file: path, severity: isProgram || isHidden ? ("medium" as const) : ("low" as const) }];
  });
}
