import { line, near, sentence, type TextRule, wordsOf } from "../rule.ts";
import { settingsInWords } from "./wordings.ts";

export const SETTINGS_FILE =
  /\.claude['"\s,/\\)]{1,6}(?:settings(?:\.local)?\.json|CLAUDE\.md|hooks\b|agents\b|commands\b|plugins\b)|\.claude\.json\b|\.mcp\.json\b|\bmcp\.json\b|\.cursor['"\s,/\\)]{1,6}(?:mcp\.json|rules|hooks|cli-config)|\.cursorrules\b|\.codex['"\s,/\\)]{1,6}(?:config\.toml|AGENTS|hooks|rules)|\.gemini['"\s,/\\)]{1,6}(?:settings\.json|GEMINI)|\.vscode['"\s,/\\)]{1,6}(?:tasks|settings|mcp|launch)\.json|\.codeium['"\s,/\\)]{1,6}windsurf|\.windsurf['"\s,/\\)]{1,6}|\.git['"\s,/\\)]{1,6}hooks|\.envrc\b|claude_desktop_config\.json|\.continue['"\s,/\\)]{1,6}config|\.config['"\s,/\\)]{1,6}opencode|opencode\.json|\.openclaw['"\s,/\\)]{1,6}|\bSOUL\.md\b|(?:~|\$HOME|home\(\)|homedir\(\))[^\s]{0,20}(?:CLAUDE|AGENTS|GEMINI)\.md/i;
export const WRITES =
  /(?:^|[^<>=\d&─-])>>?\s{0,3}["']?(?!\/dev\/)[\w.~$/{]|\btee\s|(?:^|[\s;&|`])(?:cp|mv|ln|install|rsync|sponge)\s|\bsed\s{1,5}-i|\bwrite(?:_text|_bytes|File|FileSync|lines|_json|json)?\s{0,3}\(|\bappendFile(?:Sync)?\s{0,3}\(|\bcopyFile|\bcopyfile|\bshutil\.(?:copy|move)|\bjson\.dump\s{0,3}\(|\byaml\.dump|\btoml\.dump|\bopen\s{0,3}\([^)]{0,160}["'][wa]b?\+?["']|\bset-content\b|\badd-content\b|\bout-file\b|\bsymlink/i;
export const TAKES_OVER =
  /bypassPermissions|dangerously|approval_policy\s{0,3}=\s{0,3}\\?["']?never|sandbox_mode\s{0,3}=\s{0,3}\\?["']?danger|enableAllProjectMcpServers|Bash\(\*\)|["']Bash["']\s{0,3}\]|permissions["'\]]{0,3}\.?\[?["']?allow|ANTHROPIC_BASE_URL|\bautoApprove\b|alwaysAllow|trustedFolders|["']?yolo|runOn["']?[\s:]{1,3}["']?folderOpen/i;

/** A hook of an agent that fetches something or sends it. */
export const HOOK_REACHES_OUT =
  /\b(?:PreToolUse|PostToolUse|SessionStart|UserPromptSubmit|Stop)\b[\s\S]{0,300}\b(?:curl|wget|fetch|https?:|nc|base64)\b/;

/** Settings that belong to a project, where everybody who works on it sees them. */
export const OF_PROJECT = /\.vscode\b|\.github\b|\.envrc\b|\.git['"\s,/\\)]{1,6}hooks|backup|\.bak\b/i;

export const SETTINGS: readonly TextRule[] = [
  {
    id: "agent-settings",
    category: "settings",
    severity: "medium",
    title: "changes the settings or memory of agents",
    why: "Settings, hooks and memory files of agents apply to every later session, also when the skill is not used.",
    fix: "Tell the user what to change and why, and leave the change to them.",
    words: wordsOf(
      ".claude|mcp.json|.cursor|.codex|.gemini|.vscode|windsurf|.git/hooks|.github|.git|.envrc|" +
        "claude_desktop_config|.continue|opencode|openclaw|soul.md|claude.md|agents.md|gemini.md|_base|memory|" +
        "sessions",
    ),
    cases: [
      line({ severity: "high" }, SETTINGS_FILE, WRITES, TAKES_OVER),
      line(
        { severity: "high" },
        /\b(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE)_(?:API_)?BASE(?:_URL)?=["']?https?:\/\/(?!localhost|127\.|[\w.-]{0,60}(?:anthropic|openai|google|example)\.)/,
        />>|\btee\b|\bexport\b|\bset-content\b|\bsetx\b/i,
      ),
      sentence(
        { severity: "high", in: "prose", none: [/\b(?:never|do not|don'?t|if the user)\b/i] },
        /\b(?:save|store|write|add|remember|put|record)\b[^.]{0,60}\b(?:long-?term memory|permanent memory|memory (?:file|store)|future sessions|every later session|all (?:later|future) sessions)\b/i,
        /\b(?:trusts?|without asking|upload\w{0,3}|send|always allow|approved?|permission|run|curl|https?:)\b/i,
      ),
      line({ in: "code" }, SETTINGS_FILE, WRITES),
      line({ in: "code" }, /\.github['"\s,/\\)]{1,6}workflows/, WRITES),
      line(
        { none: [/^\s{0,9}>\s/, /\.bak\b|backup/i], in: "prose" },
        SETTINGS_FILE,
        /(?:^|[^<>=|-])>>?\s{0,3}["']?[~.$][\w.~$/{]|\btee\s|(?:^|[\s;&|`])(?:cp|mv|ln)\s[^|]{0,200}\s["']?[~.$]|\bsed\s{1,5}-i|\bset-content\b|\badd-content\b/i,
      ),
      sentence(
        {
          none: [
            /\b(?:never|do not|don'?t|ask the user|if the user|user (?:can|may|should)|you can|optional\w{0,2})\b/i,
          ],
          in: "prose",
        },
        /\b(?:append|add|write|insert|put|inject|modify|edit|change|update|store|save|register)\b/i,
        /(?:~|\$HOME|home (?:folder|directory))\/?[^\s]{0,20}(?:CLAUDE|AGENTS|GEMINI|SOUL|MEMORY)\.md|~\/\.claude\/settings|~\/\.codex\/config|~\/\.cursor\/mcp|~\/\.gemini\/settings|\bSOUL\.md\b/i,
        /\b(?:every|all|any|future|later|each|always|automatically|session|permanent\w{0,2}|silently|without|yourself|following|first)\b/i,
      ),
      near(
        { within: 6, in: "prose", severity: "high" },
        /["']?runOn["']?[\s:]{1,3}["']?folderOpen/,
        /\b(?:write|put|add|save|create)\b[^\n]{0,60}\.vscode\/tasks\.json/i,
      ),
      ...settingsInWords(SETTINGS_FILE, TAKES_OVER),
    ],
    mild: OF_PROJECT,
    grades: [
      { when: TAKES_OVER, severity: "high" },
      {
        when: /\b(?:curl|wget)\b[^\n]{0,200}\|\s{0,3}(?:sudo\s)?(?:ba|z)?sh\b|\beval\b[^\n]{0,20}\$\(\s{0,3}(?:curl|wget)/,
        severity: "high",
      },
    ],
    talk: /\b(?:attack\w{0,3}|malicious|never|do not|don'?t|must not|detect\w{0,3}|suspicious)\b/i,
  },
];
