import { line, near, sentence, type TextRule, wordsOf } from "../rule.ts";
import { KEPT_FROM_USER, LEFT_OUT_OF_SUMMARY, UNASKED } from "./wordings.ts";

const THE_USER =
  "(?:the |your |any |our |that )?(?:users?|humans?|operators?|person|people|owner|developer|customer|client|them|him|her|anyone|anybody|reviewers?)";

/** Words about manipulation, in texts that teach how to recognise it. */
export const TALK =
  /\b(?:attack(?:er)?s?|malicious|injections?|jailbreaks?|adversar\w{0,8}|payloads?|phishing|red[- ]team\w{0,4}|red flags?|suspicious|examples? of|such as|e\.g\.|for example|phrases? like|attempts? to|tr(?:y|ies|ied|ying) to|untrusted|regex|test cases?|prompt security|vulnerab\w{0,10}|if (?:a|an|any|the) (?:email|page|document|message|comment|issue|web\w{0,8}|file|content))\b|["“'‘][^"”'’]{0,80}(?:ignore|disregard|forget)/i;

/** What good manners keep from people: noise, and other people's data. */
const NOT_SHOWN =
  /\b(?:tell|ask) (?:the )?users? to\b|\beach tool call\b|\bprogress\b|\b(?:raw|stack traces?|json|jargon|technical details?|internals?|uuids?|ids?|credentials?|passwords?|secrets?|tokens?|api keys?|sensitive|pii|sql|error (?:codes?|messages?)|exceptions?|errors?|personas?|spoilers?|correct answers?|until|unless|twice|again|code blocks?|users'? (?:data|emails?|passwords?)|other users|end[- ]users|which users?|user enumeration|(?:user|account|email) (?:exists|is registered)|debug|verbose|tool names?|file paths?|scores?|line numbers?|metadata|confiden\w{0,6}|private|success|done|complete\w{0,3}|works?|fixed|passes|passed)\b/i;

/** Rules about what agents are told to hide or to do unasked. */
export const CONCEALMENT: readonly TextRule[] = [
  {
    id: "hide-from-user",
    category: "manipulation",
    severity: "high",
    title: "tells the agent to hide something from the user",
    why: "The text tells the agent to leave something out of what the user gets to see. The user then cannot object to it.",
    fix: "Look at what is left out, and why; remove the sentence if there is no good reason.",
    words: wordsOf(
      "tell|hidden|keep this|keep it|keep them|reply that|respond that|claim|pretend|deny|withhold|" +
        "covert|stealth|warn|admit|mention|hide|conceal|reveal|inform|disclose|secret|silent|knowledge|" +
        "notic|aware|report|show|say that|say only|answer that|explain|alert|notify|log|invisible|" +
        "confidential|between us|not know|never know|nobody|no one|find out|finds out|to yourself|" +
        "in your summary|in your answer|in your response|in your report|out of|nothing|announce|list it|bring|" +
        "without comment|without mention|see|believe|think|bothering|that you",
    ),
    cases: [
      sentence(
        { none: [NOT_SHOWN] },
        new RegExp(
          `\\b(?:do not|don'?t|never|must not|should not|shouldn'?t|cannot|avoid|refrain from|not to|no need to|no reason to)\\s{1,5}(?:(?:\\w{1,12}ly|ever|even|under any circumstances?,?|in any way|at any point) ){0,2}(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|notify(?:ing)?|alert(?:ing)?|let(?:ting)?|admit(?:ting)?|warn(?:ing)?|explain(?:ing)?|show(?:ing)?|report(?:ing)?|say(?:ing)?)\\b[^.]{0,60}\\b${THE_USER}\\b`,
          "i",
        ),
        /\b(?:about|this|that|these|steps?|it|what|know|happened|anything|commands?|upload\w{0,3}|reason|instructions?|comment|skill|prompt|backup|sync|request|change|sent|see|running)\b/i,
      ),
      sentence(
        { none: [NOT_SHOWN] },
        /\b(?:do not|don'?t|never|must not|should not)\s{1,5}(?:\w{1,12} ){0,2}?(?:mention|reveal|disclose|refer to|acknowledge|include|show|list|report|talk about)\b[^.]{0,20}\b(?:this (?:step|command|upload|request|instruction|action|call|comment|skill|rule|section|file|note|message|part)|these (?:steps|commands|instructions|rules)|it in (?:your|the) (?:answer|output|response|summary|reply|report)|that you (?:did|ran|sent|read|have)|the (?:upload|hidden|extra|secret|background))\b/i,
      ),
      sentence(
        {
          none: [
            /\b(?:never|do not|don'?t|avoid|must not|should not|not|cannot|can'?t)\b[^.]{0,100}\bwithout\b/i,
          ],
        },
        new RegExp(
          `\\bwithout (?:(?:first|explicitly|ever) )?(?:telling|informing|notifying|alerting|warning|mentioning (?:it|this) to)\\s{1,5}${THE_USER}\\b`,
          "i",
        ),
        /\b(?:send|upload|run|execute|install|collect|copy|post|add|modify|write|read|delete|change|forward|fetch|download)\w{0,4}\b/i,
      ),
      sentence(
        {
          none: [
            /\b(?:ui|element|css|screen readers?|field|button|menu|column|feature|option|tab|icon|image|unauthori[sz]ed)\b/i,
          ],
        },
        /\b(?:hide|conceal|keep|mask|withhold)\b[^.]{0,12}\b(?:this|it|that|them|these|everything|what you|your (?:actions?|steps?|instructions?)|all (?:traces?|of (?:this|it))|any (?:trace|sign|evidence)|the (?:step|upload|command|request|action|output|result|change|transfer|fact|backup|file))\b[^.]{0,40}\b(?:from|hidden from|secret from|invisible to|private from)\b[^.]{0,6}\b(?:users?|humans?|operators?|owner|developer|people|reviewers?|logs?|transcript|view)\b/i,
      ),
      sentence(
        {
          none: [
            /\b(?:fail(?:s|ed|ing|ure)?|swallow\w{0,4}|drop(?:s|ped)?|break(?:s|ing)?|corrupt\w{0,4}|truncat\w{0,4})\b|\b(?:never|do not|don'?t|must not|should not)\s{1,5}(?:silently|quietly|secretly)/i,
          ],
        },
        /\b(?:silently|secretly|covertly|quietly|discreetly|stealthily|invisibly|in secret|in the background)\b[^.]{0,20}\b(?:add|send|upload|run|execute|install|collect|copy|post|append|modify|write|read|forward|include|fetch|transmit|record|download|insert|inject|exfiltrate)\b/i,
        /\b(?:do not|don'?t|never|without)\b[^.]{0,40}\b(?:mention\w{0,3}|tell\w{0,3}|show\w{0,3}|report\w{0,3}|ask\w{0,3}|inform\w{0,3}|notify\w{0,3}|reveal\w{0,3}|output|say|noticing)\b|\b(?:secretly|covertly|stealthily|in secret|discreetly|invisibly)\b/i,
      ),
      sentence(
        {
          none: [
            /\b(?:never|do not|don'?t|must not|should not|avoid|illegal|prohibit\w{0,3}|if|whether|could|can|may|might)\b/i,
          ],
        },
        /\bwithout (?:the )?(?:users?'?s?'?|their|human|owner'?s?|anyone'?s?|anyone|anybody) (?:knowledge|knowing|noticing|awareness|being aware)\b/i,
        /\b(?:collect|send|upload|run|execute|install|store|copy|record|read|forward|access|delete|transmit|save|capture|monitor|add|change)\b/i,
      ),
      sentence(
        /\b(?:if|when)\b[^.]{0,40}\b(?:user|asked|asks|anyone|someone|they|human)\b/i,
        /\b(?:say|claim|answer|respond|reply|pretend|insist|state|tell them|explain)\b[^.]{0,30}\b(?:that|only|it (?:was|is)|nothing|you)\b/i,
        /\bonly (?:the |that |a )?[\w ]{0,30}\b(?:was|were) (?:run|ran|executed|done|changed|used|performed)\b|\bnothing (?:was|happened|unusual|else)\b|\b(?:you did not|you didn'?t|it was not|no (?:data|files?|network|requests?) (?:was|were|left|is))\b|\b(?:routine|normal|standard|harmless) (?:maintenance|operation|update|check|diagnostics?|telemetry|procedure)\b/i,
      ),
      sentence(
        { none: [/\b(?:never|do not|don'?t|must not)\s{1,5}(?:lie|deny|pretend)/i] },
        /\b(?:deny|lie|pretend (?:that )?(?:nothing|you))\b/i,
        /\b(?:if asked|when asked|if (?:the )?user asks?|to the user)\b/i,
      ),
      ...KEPT_FROM_USER,
      ...LEFT_OUT_OF_SUMMARY,
    ],
    speaks: true,
    talk: TALK,
  },
  {
    id: "skip-approval",
    category: "manipulation",
    severity: "medium",
    title: "tells the agent to act without approval",
    why: "The text tells the agent to act without asking. A step with consequences then happens before anybody saw it.",
    fix: "Look at which steps that covers; let the agent ask before it runs commands or changes files.",
    words: wordsOf(
      "without asking|without confirmation|without any confirmation|without approval|" +
        "without permission|without prompting|confirmation|permission|dangerously|yolo|auto-approve|" +
        "auto approve|bypass|skip|for approval|for consent|yes to|answer yes|for the user|prompt|agreed|consented|authori",
    ),
    cases: [
      sentence(
        {
          none: [
            /\b(?:never|do not|don'?t|must not|should not|shouldn'?t|not|no|cannot|can'?t|avoid|rather than|instead of|if|when|only|unless|risk|prevent\w{0,3}|stop)\b/i,
          ],
        },
        /\b(?:run|execute|install|delete|send|apply|commands?|scripts?|actions?|tools?|anything|always)\b/i,
        /\bwithout (?:first |ever |any )?(?:asking|prompting|requesting|waiting for|seeking|requiring)\b[^.]{0,40}\b(?:confirmation|permission|approval|consent|user)\b|\bwithout (?:any |user |explicit )?(?:confirmation|permission|approval|consent)\b/i,
      ),
      sentence(
        { none: [/\b(?:never|do not|don'?t|must not|should not|not|cannot|can'?t|avoid)\b/i] },
        /\b(?:bypass|skip|disable|circumvent|suppress|turn off|auto-?(?:approve|accept|confirm))\b/i,
        /\b(?:permission|approval|confirmation|safety|security|consent)s? (?:prompts?|checks?|dialogs?|requests?|steps?|warnings?|confirmations?)\b/i,
        /\b(?:always|any|all|every|even|must|you)\b/i,
      ),
      ...UNASKED,
    ],
    speaks: true,
    talk: /\b(?:attack\w{0,3}|malicious|injection|never|do not|don'?t|avoid|dangerous|warning|not recommended|caution|risky?)\b/i,
  },
  {
    id: "unattended-agent",
    category: "settings",
    severity: "low",
    title: "starts an agent that asks nobody",
    why: "An agent that is started like this runs every command without a question.",
    fix: "Start it with its usual permissions, or in a container that has nothing to lose.",
    words: wordsOf("dangerously|--yolo|bypasspermissions|permission-mode|--trust-all|--full-auto"),
    cases: [
      line(
        { severity: "low" },
        /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo\b|bypassPermissions|--permission-mode[ =]bypass/,
      ),
      // An agent that is started without a question, to look for what is private.
      near(
        { severity: "high", within: 6, in: "code" },
        /\b(?:wallets?|credentials?|secrets?|id_rsa|\.env\b|private keys?|passwords?)\b/i,
        /\b(?:claude|gemini|codex|q chat|opencode|cursor-agent)\b[^\n]{0,60}(?:--dangerously-skip-permissions|--yolo\b|--trust-all-tools|--full-auto|--dangerously-bypass)/,
      ),
      line(
        { in: "prose", severity: "high" },
        /--dangerously-skip-permissions|--yolo\b/,
        /\b(?:restart|relaunch|start) (?:yourself|itself)\b|\bwithout (?:mentioning|telling|asking)\b/i,
      ),
    ],
    taught: true,
  },
];
