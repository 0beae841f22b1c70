// What has to be true of each host, as a table; `judge` compares it with what was measured. Pure.

/** By number of skills: at least so many names and whole descriptions at turn 1. */
const USUAL = { 8: { names: 8, whole: 8 }, 60: { names: 60 } };

/** Hosts that show one line of the instructions until the model searches for a tool: it names the skills, if they are few. */
const ONE_LINE = { 8: { names: 8 } };

/** Hosts that show nothing of a tool until the model searches for it: recorded, and explained in docs/clients. */
const NOTHING = {};

const AT_TURN_1 = {
  claude: { ...USUAL, 1200: { names: 300 } },
  "claude-terminal": { ...USUAL, 1200: { names: 300 } },
  codex: ONE_LINE,
  "codex-search": ONE_LINE,
  "codex-direct": USUAL,
  "codex-shown": USUAL,
  "codex-search-shown": USUAL,
  gemini: USUAL,
  opencode: USUAL,
  kilo: USUAL,
  qwen: USUAL,
  "qwen-shown": USUAL,
  copilot: USUAL,
  "copilot-many": NOTHING,
  cline: USUAL,
  continue: USUAL,
  nanocoder: USUAL,
};

const ARRIVED = new Set(["equal", "as JSON"]);

/** What was expected of one measurement, each with what was seen: `{ what, expected, seen, isMet }`. */
export function judge({ host, what, skills, found }) {
  if (found.error !== undefined) return [check("runs", "an answer", found.error, false)];
  if (what === "skills") return judgeSkills(AT_TURN_1[host][skills] ?? NOTHING, found);
  if (what === "folders") {
    return [
      none("skills in the host's list and in ours", found.twice),
      none("skills that are a slash command of ours and in the host's list", found.commandsTwice),
      none("skills in neither list", found.missing),
    ];
  }
  if (what === "long") {
    return [
      check("answer reaches the model", "equal or as JSON", found.reached, ARRIVED.has(found.reached)),
      check(
        "rest can be read",
        "yes",
        found.saysHowToReadOn ? "yes" : "no",
        found.isWhole || found.saysHowToReadOn,
      ),
    ];
  }
  return [loads("slash command", found)];
}

function judgeSkills(expected, found) {
  const counts = Object.entries(expected).map(([key, least]) =>
    check(COUNTS[key], `at least ${least}`, found[key], found[key] >= least),
  );
  return [...counts, loads("file that reaches the model", found)];
}

const COUNTS = { names: "names at turn 1", whole: "whole descriptions at turn 1" };

const check = (what, expected, seen, isMet) => ({ what, expected, seen, isMet });
const none = (what, folders) => check(what, "none", folders.join(" ") || "none", folders.length === 0);
const loads = (what, { loaded }) => check(what, "equal or as JSON", loaded, ARRIVED.has(loaded));
