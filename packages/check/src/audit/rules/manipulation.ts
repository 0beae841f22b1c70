import { line, near, sentence, type TextRule, wordsOf } from "../rule.ts";
import { TALK } from "./concealment.ts";
import { UNBOUND } from "./wordings.ts";

/** Rules that an agent has: those of its maker, its host and its user. */
const ORDERS =
  "(?:instructions?|prompts?|(?:system|developer|initial) messages?|rules?|guidelines?|directives?|orders?|constraints?|restrictions?|polic(?:y|ies)|guardrails?|training|programming|safety (?:checks?|measures?|protocols?|rules?|guidelines?))";
const PRIOR =
  "(?:(?:all|any|every|each|of|the|your|my|its|and|other|these|those|current|default|existing|own)\\s{1,5}){0,4}(?:previous|prior|earlier|preceding|above|former|original|initial|foregoing|system|developer|safety|anthropic'?s?|openai'?s?|user'?s?|built-?in|standard|normal|usual)";
/** Imperative, so that `ignoring` in a list of mistakes is none. */
const DROP_IT =
  "(?:ignore|disregard|forget|discard|pay no attention to|override|bypass|set aside|drop|abandon|do not (?:follow|obey)|stop following|throw away|erase|neglect|skip over)";

/** An agent that is told not to obey what it reads is defended, not attacked; a sentence about agents, or about an option, orders nothing. */
const DEFENCE =
  /\b(?:cause[sd]?|makes?|leads?|lets?|tricks?|forces?|gets?|tells?|asks?|instructs?|convinces?) (?:\w{1,20} ){0,3}?(?:claude|codex|gemini|(?:the |an? |other )?(?:model|agent|llm|assistant|ai)s?|it|them) (?:to )?(?:ignore|disregard|forget|override|bypass)|--[a-z][\w-]{4,60}|\b(?:embedded|instruction-like|injected)\b|\binstructions? (?:that (?:appear|are|ask|tell)|found|inside|contained|embedded|within|in (?:the|any|a|fetched|external|returned|tool|repository|user|web|issue|files?))\b|\bif (?:a|an|any|the) (?:email|page|document|message|comment|issue|web\w{0,8}|file|content|text|tool|result)\b[^.]{0,80}\b(?:says?|asks?|tells?|contains?|instructs?)\b|\buser'?s? (?:explicit |own |direct )?(?:instructions?|requests?|preferences?) (?:always |can |may |will |\([^)]{0,60}\) ){0,2}(?:take|takes|override|overrides|win|wins|supersede)/i;

/** "Ignore your instructions" in the languages that most skills are written in besides English. */
const IN_OTHER_LANGUAGES =
  /\b(?:ignorier\w{0,2}|vergiss|missachte\w{0,2})\b[^.]{0,40}\b(?:anweisung\w{0,3}|vorgaben|regeln|instruktionen)\b|\b(?:ignore[zr]?|oublie[zr]?)\b[^.]{0,40}\binstructions\b[^.]{0,20}\bpr[ée]c[ée]dentes\b|\b(?:ignora|olvida|ignore|esquece|dimentica)\w{0,2}\b[^.]{0,40}\b(?:instrucciones|instru[çc][õo]es|istruzioni)\b|(?:忽略|无视|忘记|忽視|無視)[^。]{0,20}(?:指令|指示|说明|規則|规则|提示)|(?:以前|これまで|前)の(?:指示|命令|ルール)[^。]{0,10}(?:無視|忘れ)|(?:игнорируй|забудь)[^.]{0,40}(?:инструкци|указани)|(?:이전|앞의)[^.]{0,10}(?:지시|명령)[^.]{0,10}(?:무시|잊)/i;

/** Words of a text that gives itself a permission. */
const GRANTS =
  /\b(?:permissions?|without asking|from now on|approved?|granted|may now|must not ask|(?:do|need) not ask|don'?t ask|policy|full access|authori[sz]ed|no need to (?:ask|confirm)|unrestricted|any command|directly|never ask|skip (?:the )?confirmation)\b/i;

export const MANIPULATION: readonly TextRule[] = [
  {
    id: "override-instructions",
    category: "manipulation",
    severity: "high",
    title: "tells the agent to disregard its instructions",
    why: "The sentence tells the agent to set aside what its user or its host told it. After that, the skill alone decides what the agent does.",
    fix: "Look at what the skill wants done instead; remove the sentence.",
    words: wordsOf(
      "ignor|anweisung|vergiss|oublie|olvida|esque|dimentica|忽略|无视|忘记|忽視|無視|игнорируй|забудь|무시|잊|忘れ|" +
        "not follow|not obey|stop following|abandon|disregard|forget|overrid|override|supersede|bypass|" +
        "no longer|suspend|lifted|do not apply|precedence|unrestricted|restriction|developer mode|" +
        "god mode|jailbreak|dan|pay no attention|discard|no longer matter|not apply|second|comes first|without any|" +
        "decides what you|treat|rules of|more weight|priority|of the person|of the user",
    ),
    cases: [
      sentence(
        { none: [DEFENCE] },
        new RegExp(
          `\\b${DROP_IT}\\s{1,5}(?:\\w{1,12}\\s{1,5}){0,3}?${PRIOR}[\\w\\s,'/-]{0,40}?\\b${ORDERS}\\b`,
          "i",
        ),
      ),
      sentence(
        { none: [DEFENCE] },
        new RegExp(
          `\\b(?:ignore|disregard|forget|discard|override|bypass)\\s{1,5}(?:all|any|every|each|your|everything)\\b`,
          "i",
        ),
        new RegExp(
          `\\b(?:your|you(?:'ve| have| were| are)?|user'?s?|system|assistant|model|agent|before|so far|this point)\\b[^.]{0,60}\\b${ORDERS}\\b|\\b${ORDERS}\\b[^.]{0,60}\\b(?:you (?:were|have|had|received|got)|given|before|so far|this point|from the (?:user|system)|of the (?:user|system))\\b|\\beverything\\b[^.]{0,60}\\b(?:told|before|above|learned|instructed|know)\\b`,
          "i",
        ),
      ),
      sentence(IN_OTHER_LANGUAGES),
      sentence(
        /\bforget\b[^.]{0,20}\b(?:everything|what|all)\b[^.]{0,60}\b(?:told|before|above|learned|instructed|know|said)\b/i,
      ),
      sentence(
        {
          none: [
            DEFENCE,
            /\busers?'? (?:instructions?|requests?|preferences?)\b[^.]{0,30}\boverride|\byou can\b|\b(?:system\.message|event|turns?|sending)\b/i,
            /\b(?:option|parameter|field|flag|property|config\w{0,10}|default system prompt|api|sdk|CLAUDE\.md|AGENTS\.md|editorconfig)\b/i,
          ],
        },
        /\b(?:this|these|it|they|here|below|file|document|skill|section|rules?|guide|following)\b/i,
        /\b(?:(?:take|takes|has|have|taking|with) (?:absolute |full |highest |the highest |top )?(?:precedence|priority) over|supersedes?|overrides?|replaces?|outranks?)\b[^.]{0,60}\b(?:system (?:prompts?|instructions?|messages?)|the system'?s (?:instructions?|rules?)|user'?s? (?:and the system'?s )?(?:instructions?|requests?|wishes)|(?:all|any) (?:other|previous|prior|earlier) (?:instructions?|prompts?|guidelines?|rules? you)|(?:your|all|any) safety (?:rules?|guidelines?|policies)|prior rules?|previous rules?)\b/i,
      ),
      sentence(
        { none: [DEFENCE, /\b(?:licen[cs]e|usage|browser|cors|free|access|rate)\b/i] },
        /\byou(?: are|'re) (?:now |from now on )?(?:in |running in |operating in )?(?:\w{1,12} ){0,2}(?:developer|god|dan|jailbreak|unrestricted|debug|root|maintenance|admin|sudo) mode\b|\b(?:enter|activate|enable|switch (?:in)?to) (?:\w{1,12} ){0,2}(?:god|dan|jailbreak|unrestricted|no-?limits) mode\b|\bdo anything now\b|\b(?:no|without(?: any)?|free (?:of|from)(?: all| any)?) (?:restrictions?|ethical (?:limits|guidelines)|safety (?:limits|filters?|rules?)|content (?:filters?|polic(?:y|ies)))\b/i,
        /\byou(?:'re|r)?\b|\bact as\b|\bpretend\b|\bAI\b|\bassistant\b/i,
      ),
      sentence(
        { none: [DEFENCE] },
        /\b(?:your|all|any|the model'?s|assistant'?s) (?:\w{1,12} ){0,2}(?:rules?|polic(?:y|ies)|guidelines?|filters?|restrictions?|safeguards?|guardrails?|limitations?)\b[^.]{0,30}\b(?:(?:are|is|have been|has been) (?:now |hereby |temporarily )?(?:suspended|lifted|disabled|void|revoked|waived|removed|off|no longer (?:active|in effect|valid|apply))|(?:do|does) not apply|no longer apply)\b/i,
      ),
      sentence(
        { none: [DEFENCE] },
        /\b(?:act|behave|respond|operate|pretend)\b[^.]{0,20}\bas\b[^.]{0,60}\b(?:DAN\b|(?:AI|assistant|model|agent)\b[^.]{0,60}\b(?:has no|without(?: any)?|free of|not bound by|ignores?)\b[^.]{0,30}\b(?:restrictions?|rules?|limits?|ethics|guidelines?|filters?))/i,
      ),
      ...UNBOUND,
    ],
    speaks: true,
    talk: TALK,
  },
  {
    id: "fake-message",
    category: "manipulation",
    severity: "high",
    title: "imitates a message of the system",
    why: "The text has the form of a message from the system, the user or a tool, and gives a permission. An agent can take it for a real one.",
    fix: "Look at what it allows; remove it, or put it into a code block as an example.",
    words: [
      "<|",
      ...wordsOf(
        "<system|[system|[inst]|<<sys|system:|<important|begin system|###|human:|assistant:|user:|result:|</skill|<admin|<developer|" +
          "<instructions",
      ),
    ],
    cases: [
      // Turns of a conversation that never took place, in which something is allowed.
      line(
        { in: "prose" },
        /^\s{0,3}(?:Human|User|Assistant|System|Developer|(?:Function|Tool) (?:result|output|response))\s{0,3}:\s/i,
        GRANTS,
      ),
      near(
        { in: "prose", within: 4 },
        GRANTS,
        /^\s{0,3}<\/?(?:system|skill|admin|developer)(?:[-_](?:message|prompt|reminder|override|note|instructions))?>\s{0,3}$/i,
      ),
      line({ in: "prose" }, /<\|(?:im_start|start_header_id)\|>\s{0,3}(?:system|developer)\b|<<SYS>>/i),
      line(
        { in: "prose", severity: "medium" },
        /<\|(?:im_start|im_end|system|endoftext|start_header_id|assistant|user)\|?>|\[\/?INST\]|<<\/?SYS>>/,
      ),
      sentence(
        { in: "prose" },
        /^(?:#{1,6} )?(?:<system(?:[-_](?:message|prompt|reminder|override|note))?>|\[system(?: (?:message|override|notice|prompt|note))?\]|system(?: (?:message|override|notice))?:|<important>|begin system (?:message|prompt))/i,
        /\b(?:new|updated?|your|must|you|now|override|ignore|rules?|instructions?)\b/i,
        /\b(?:instructions?|safety|rules?|must|override|ignore|suspend\w{0,3}|granted|approved|authori[sz]ed)\b/i,
      ),
    ],
    speaks: true,
    talk: TALK,
  },
  {
    id: "note-to-reviewers",
    category: "manipulation",
    severity: "high",
    title: "tells reviewers or scanners what to conclude",
    why: "The text speaks to whoever checks the skill, and says what the result should be.",
    fix: "Read the parts that it asks to skip; remove the note.",
    words: wordsOf(
      "reviewer|scanner|auditor|evaluator|grader|judge|moderator|classifier|grades|verified by|approved by|cleared by",
    ),
    cases: [
      sentence(
        { in: "prose" },
        /\b(?:notes?|messages?|notice|attention|instructions?|information)[:,]? (?:for|to)\b[^.]{0,40}\b(?:reviewers?|scanners?|auditors?|evaluators?|graders?|judges?|classifiers?|moderators?)\b|\bmodel (?:grades|judges|evaluates|reviews|scores) (?:this|it|the output)\b|^(?:evaluators?|graders?|judges?|scanners?|reviewers?):/i,
        /\b(?:report|mark|rate|classify|treat|consider|output|give|score|label)\b[^.]{0,40}\b(?:safe|benign|clean|harmless|full marks|score|10|maximum|highest|trusted)\b|\b(?:do not|don'?t|skip|stop|no need to|must not)\b[^.]{0,30}\b(?:analy[sz]\w{1,3}|scan\w{0,4}|inspect\w{0,3}|review\w{0,3}|reading|flag\w{0,4}|check\w{0,3})\b/i,
      ),
      sentence(
        { in: "prose", severity: "medium" },
        /\bthis (?:skill|file|script|folder)\b[^.]{0,30}\b(?:was|is|has been) (?:already )?(?:verified|approved|audited|cleared|certified|vetted|whitelisted)\b[^.]{0,10}\bby\b/i,
        /\b(?:security|anthropic|openai|google|microsoft|team|scanner|vendor)\b/i,
      ),
    ],
    speaks: true,
    talk: TALK,
  },
  {
    id: "unseen-text",
    category: "hidden-text",
    severity: "high",
    title: "a text that a page does not show",
    why: "The text is styled so that people do not see it where it is shown, and an agent reads it.",
    fix: "Read the text; remove it, or show it.",
    words: wordsOf("color:|font-size|opacity|display:|visibility"),
    cases: [
      line(
        { in: "prose" },
        /<(?:span|div|p|font|small)\b[^>]{0,200}(?:color:\s{0,3}(?:#fff(?:fff)?\b|white|transparent)|font-size:\s{0,3}[01](?:px|pt|em)?\b|opacity:\s{0,3}0(?![.\d])|display:\s{0,3}none|visibility:\s{0,3}hidden)[^>]{0,100}>[^<]{15}/i,
        /\b(?:assistant|agent|model|ai|you|ignore|copy|send|run|read|do not|upload|always|must)\b/i,
      ),
    ],
    speaks: true,
    talk: TALK,
  },
];
