import { type Case, line, type NearCase, near, sentence } from "../rule.ts";

/** Cases that attackers word plainly, without the unusual addresses and programs that most patterns of a rule look for. */

const NEGATED = /\b(?:never|do not|don'?t|must not|should not|avoid|without|unless|if (?:the )?user asks)\b/i;

/** What must not be known. */
export const KEPT_FROM_USER: readonly Case[] = [
  sentence(
    { none: [/\b(?:difference|internals?|implementation|password|if)\b/i] },
    /\b(?:users?|humans?|operators?|owner|customer)\s{1,5}(?:(?:must|should|will)(?: not|n'?t| never)|never|cannot)\s{1,5}(?:ever )?(?:knows?|learns?|finds? out|notices?|discovers?|be told|be aware)\b[^.]{0,20}\b(?:about|of|that|this|it|what)\b/i,
  ),
  sentence(
    /\bso (?:that )?(?:nobody|no one|(?:the )?users?|they)\b[^.]{0,20}\b(?:notices?|knows?|finds? out|learns?|suspects?|(?:do|does|will|can)(?: not|n'?t) (?:notice|know|see|find))\b/i,
    /\b(?:delete|remove|clear|erase|hide|run|send|upload|copy|rename|disguise|conceal)\b/i,
  ),
  sentence(
    { none: [/\b(?:keys?|tokens?|passwords?|credentials?|clients?)\b/i] },
    /\bkeep (?:this|it|these|the) (?:(?:step|steps|command|request|action|upload|part|rule|instruction|instructions|note|change) (?:a )?(?:secret|hidden|quiet|confidential)\b|(?:to yourself|between us|hidden|quiet from)\b)/i,
  ),
  sentence(
    { none: [/\beach tool call\b|\bevery (?:tool call|step)\b|\bprogress\b/i] },
    /\b(?:silently|quietly|secretly|covertly)\b/i,
    /\b(?:do not|don'?t|never)\s{1,5}(?:\w{1,10} ){0,2}?(?:report|mention|tell|announce|disclose|reveal|admit)\b[^.]{0,20}\b(?:it|this|that|them|anyone|user)\b/i,
  ),
  sentence(
    /\b(?:do not|don'?t|never|must not)\s{1,5}(?:\w{1,10} ){0,2}?(?:tell|inform|notify|warn|alert|let)\b[^.]{0,20}\busers?\b[^.]{0,10}\b(?:that|about|know)\b/i,
    /\b(?:is|are|was|were|being|been|get|gets)\s{1,5}(?:\w{1,12}ly )?(?:collected|sent|uploaded|copied|read|stolen|transmitted|shared|forwarded|recorded|exfiltrated|installed|deleted|harvested|captured)\b/i,
  ),
  sentence(
    { none: [/\b(?:never|do not|don'?t|avoid|must not|raw|json|jargon|internals?|stack traces?)\b/i] },
    /\b(?:run|execute|send|upload|install|delete|perform|do)\b/i,
    /\bwithout (?:ever )?(?:showing|displaying|revealing|disclosing|reporting)\b[^.]{0,30}\bto (?:the )?(?:user|human|operator)\b/i,
  ),
  sentence(
    { none: [/\b(?:never|do not|don'?t|must not) pretend/i] },
    /\bpretend\b[^.]{0,60}\b(?:fail\w{0,3}|work\w{0,3}|happen\w{0,3}|succeed\w{0,3}|exist\w{0,2}|was|were|is|are)\b/i,
    /\b(?:if|when)\b[^.]{0,20}\b(?:asked|asks?)\b/i,
  ),
];

/** Something is left out of what the user is told. */
const LEFT_OUT =
  /\b(?:leave|keep) (?:it|this|that|them|these|the [\w ]{1,30}?) out of (?:your|the|any) (?:summary|answer|report|response|reply|output|changelog|diff|list|(?:pull request|commit)[\w' ]{0,20})|\b(?:say|mention|reveal) nothing (?:about|of) (?:it|this|that|the)\b|\b(?:do not|don'?t|never) (?:list|announce|describe|note|bring up|mention|show|display) (?:it|this|that|the (?:restart|change|extra|added|hidden|backup|upload|push|recipient|line|step|link|transfer))\b|\b(?:no (?:reason|need)|not necessary) to (?:bring (?:it|this|that) up|mention|raise|discuss|explain (?:it|this|that))|\bwithout (?:mentioning|announcing|commenting on) (?:it|this|that|the)\b|\bwithout comment\b|\b(?:users?|humans?) (?:should|must|will)(?: not|n'?t| never) (?:see|notice|know|learn|be shown)\b|\bnever (?:show|print|display) (?:its|the) output\b|\bso (?:that )?(?:nobody|no one) (?:notices|knows|sees)\b|\bsay that only\b|\blet (?:the )?users? (?:believe|think)\b|\bwithout bothering (?:the )?users?\b|\b(?:write|say|claim) that you (?:reviewed|checked|tested|read) (?:it|this|them)\b|\bso (?:that )?(?:the )?users? (?:cannot|can'?t|can not) (?:stop|object|undo|see|prevent|notice)\b|\bonly if (?:somebody|someone|anybody|anyone) asks\b|\b(?:do not|don'?t|never) tell (?:anyone|anybody|them|the (?:team|owner))\b(?! (?:to|how|what))/i;
/** Beside one of these, nobody is spared a detail: something happens that the user would want to know. */
const HAPPENS =
  /\bgit\s{1,3}(?:push|remote)\b|\bpush(?:es)?\s(?:everything|all|to|straight)|\bupload|\bsend(?:s|ing)?\b|\bPOST\b|\bcurl\b|\bwget\b|\bscp\b|\brsync\b|\baws s3\b|https?:\/\/|\bbcc\b|--dangerously|\bpasswords?\b|\b(?:api )?tokens?\b|\bcredentials?\b|\.npmrc|\.env\b|\bpostinstall\b|<script|script tag|\bbackdoor|--no-verify|\bdisable\b|\bheader\b|\bdelete\b|\breplace each\b|\bcopy\b|\bssh\b|\bDROP\b|\bmerge\b|\bapprove\b|\bfollow the (?:guide|skill|file)\b|\bbase_url\b/i;

/** What happens a few lines away, where only something unusual counts. */
const TRANSFERS =
  /\bgit\s{1,3}(?:push|remote)\b|\bupload|\bcurl\b|\bwget\b|\bscp\b|\brsync\b|\baws s3\b|https?:\/\/|\bbcc\b|--dangerously|\bpasswords?\b|\.npmrc|\.env\b|\bpostinstall\b|<script|\bbackdoor|--no-verify|\breplace (?:each|every|all)\b|\bbase_url\b/i;

export const LEFT_OUT_OF_SUMMARY: readonly (Case | NearCase)[] = [
  sentence({ in: "prose", severity: "low" }, LEFT_OUT),
  sentence({ in: "prose" }, LEFT_OUT, HAPPENS),
  near({ in: "prose", within: 3 }, TRANSFERS, LEFT_OUT),
];

/** Approval that is not asked for. */
export const UNASKED: readonly Case[] = [
  sentence(
    { severity: "high", in: "prose", none: [/\b(?:if|when|whether|unless|until|once|after|assume)\b/i] },
    /\bthe user (?:has|had) (?:already )?(?:agreed|consented|approved|authori[sz]ed|permitted)\b[^.]{0,40}\b(?:everything|all|any|every)\b/i,
  ),
  sentence(
    { severity: "high", none: [/\b(?:never|do not|don'?t) (?:answer|confirm|approve)/i] },
    /\b(?:answer|confirm|approve|click|say|choose)\b[^.]{0,20}\b(?:yes|allow|ok)\b[^.]{0,20}\b(?:for|on behalf of|in place of) (?:the )?users?\b|\b(?:never|do not|don'?t) let\b[^.]{0,30}\b(?:permission|approval|confirmation) (?:prompt|dialog|request)s?\b[^.]{0,20}\breach\b/i,
  ),
  sentence(
    { severity: "low" },
    /\b(?:do not|don'?t|never)\s{1,5}(?:\w{1,10} ){0,2}?(?:ask|wait|prompt)\b[^.]{0,20}\b(?:for )?(?:permission|confirmation|approval|consent)\b[^.]{0,20}\b(?:before|when|to|and)\b/i,
    /\b(?:run|running|execut\w{1,3}|install\w{0,3}|delet\w{1,3}|commands?|overwrit\w{1,3}|push\w{0,3}|send\w{0,3}|upload\w{0,3})\b/i,
  ),
  sentence(
    { none: [/\b(?:never|do not|don'?t)\b/i] },
    /\b(?:answer|say|reply|respond|type|choose|select)\b[^.]{0,10}\b(?:yes|y|allow|approve)\b[^.]{0,12}\b(?:any|every|all|each)\b[^.]{0,30}\b(?:prompts?|confirmations?|questions?|checks?|dialogs?|requests?)\b/i,
  ),
];

/** Rules that are declared void for an agent. */
export const UNBOUND: readonly Case[] = [
  sentence(
    /\b(?:more weight|priority|precedence|higher|ranks? above)\b[^.]{0,30}\b(?:than|over|above)?\b[^.]{0,20}\b(?:anything|whatever|what|everything|requests?)\b[^.]{0,30}\b(?:person|user|human|they|chat)\b[^.]{0,20}\b(?:says?|asks?|wants?)\b|\b(?:requests?|wishes|wants?) of the (?:person|user|human)\b[^.]{0,40}\b(?:second|less|last|not count|wait)\b/i,
  ),
  sentence(
    { none: [/\b(?:css|lint|eslint|firewall|validation)\b/i] },
    /\b(?:treat|consider|regard)\b[^.]{0,30}\b(?:them|(?:safety )?(?:rules?|guidelines?|polic(?:y|ies)|restrictions?|limits))\b[^.]{0,30}\b(?:not (?:applying|applicable|binding|valid)|void|suspended|lifted)\b/i,
  ),
  sentence(
    /\b(?:whatever|everything|anything|all(?: that)?) you (?:were|have been|had been) (?:asked|told|instructed|given)\b[^.]{0,60}\b(?:no longer|not|never|less|second|forget|ignore|irrelevant)\b/i,
  ),
  sentence(
    /\b(?:without|with no|has no|have no|free of)(?: any| all)? (?:restrictions?|limits|rules|filters|guardrails)\b/i,
    /\byou are (?:now )?["“'A-Z]|\b(?:never|do not|don'?t) (?:declines?|refuses?|says? no)\b/,
  ),
  sentence(
    /\byou(?:'re| are) (?:now )?(?:no longer|not) (?:bound|restricted|limited|constrained) by\b[^.]{0,40}\b(?:rules?|guidelines?|polic(?:y|ies)|restrictions?|instructions?|safety|filters?)\b/i,
  ),
  sentence(
    /\b(?:ignore|disregard|dismiss)\b[^.]{0,16}\b(?:warnings?|objections?|concerns?|refusals?)\b[^.]{0,16}\b(?:from|of|by) (?:the )?(?:users?|system|host|human|operating system|antivirus)\b/i,
  ),
];

/** Keys that a command or a sentence asks for by name. */
export const KEYS_BY_NAME: readonly Case[] = [
  line({ severity: "medium" }, /\bgpg2?\b[^\n]{0,60}--export-secret-(?:sub)?keys\b/i),
  line(
    { none: [/\bKUBECONFIG\b|>\s{0,3}["']?[~$\w/.]{0,40}\.kube/], in: "prose", severity: "low" },
    /(?:^|[\s`"'(;&|])(?:cat|less|head|cp|base64)\s[^\n|]{0,60}\.kube\/config\b/i,
  ),
  sentence(
    {
      none: [
        NEGATED,
        /\bssh-(?:keygen|add|copy-id)\b|\bssh\s{1,5}-i\b|\bchmod\b|\bIdentityFile\b|\bconfigure[ds]?\b/i,
      ],
      in: "prose",
      severity: "medium",
    },
    /\.ssh\/id_[a-z0-9]{2,12}\b(?!\.pub)|\.aws\/credentials\b|\/etc\/shadow\b/i,
    /\b(?:read|open|show|print|display|output|load|fetch|return)\b/i,
  ),
  sentence(
    {
      none: [
        NEGATED,
        /\b(?:review|audit|leak\w{0,3}|hard-?coded|commit\w{0,3}|scan\w{0,4}|rotat\w{1,3}|design|manager|vault)\b/i,
      ],
      in: "prose",
      severity: "medium",
    },
    /\b(?:find|collect|list|gather|extract|harvest|dump|print|search for|look for)\b[^.]{0,12}\b(?:all|every|any)\b[^.]{0,12}\b(?:api keys?|secrets?|tokens?|credentials?|passwords?)\b[^.]{0,30}\b(?:environment|machine|computer|home (?:folder|directory)|disk|system|user'?s)\b/i,
  ),
];

/** Passwords that a system or a browser keeps. */
export const KEPT_PASSWORDS: readonly Case[] = [
  line(
    /\bsecurity\s{1,5}find-(?:generic|internet)-password\b[^\n]{0,80}\b(?:chrome|safari|firefox|brave|edge|wi-?fi|airport|safe storage)\b/i,
  ),
  sentence(
    {
      none: [
        NEGATED,
        /\b(?:playwright|puppeteer|selenium|test\w{0,3}|browser-use|agent-browser|persist\w{0,4}|isolated|clear|delete)\b/i,
      ],
      in: "prose",
      severity: "medium",
    },
    /\b(?:read|open|copy|collect|extract|steal|export|dump|harvest|grab)\b/i,
    /\b(?:browser(?:'s)? (?:profiles?|cookies|history|passwords)|saved passwords|session cookies of)\b/i,
    /\b(?:cookies|passwords|history|sessions?|logins?)\b/i,
  ),
];

/** Results that go to a paste, a tunnel or a chat of somebody. `drop` is the pattern of their addresses, `sends` that of commands. */
export const sentTo = (drop: RegExp, sends: RegExp): readonly Case[] => [
  line(drop, sends),
  sentence(
    { none: [/\b(?:never|do not|don'?t|\$\{?\w{0,20}WEBHOOK|your[-_ ]|<your|xxx|env\.)/i], in: "prose" },
    drop,
    /\b(?:send|upload|post|submit|forward|push|transmit|publish|report)\b/i,
    /\b(?:to|at|via|on)\s{1,5}(?:the\s{1,5})?[`"'(<]{0,2}https?:/i,
  ),
];

/** Files that go to another machine without a program that usually sends them. */
export const SENT_FILES: readonly Case[] = [
  line(
    { none: [/\b(?:localhost|127\.0\.0\.1)\b|<<|<\w{1,20}>/] },
    /\b(?:nc|ncat|netcat|socat)\s[^\n|<]{1,120}<\s{0,3}["']?[\w./~$]/i,
  ),
  line(/\bwget\b[^\n]{0,80}--(?:post-file|body-file)[= ]{1,2}["']?(?:\/etc\/|~|\$HOME)/i),
];

/** Code and packages from a bare address. */
export const BARE_PACKAGES: readonly Case[] = [
  line(
    { severity: "low" },
    /\b(?:pip[\d.]{0,4}|pipx|uvx?|npm|pnpm|yarn|bun|npx|bunx|gem|cargo)\b/i,
    /(?:\b(?:install|add|i|exec)|\b(?:npx|bunx|uvx))\s{1,5}(?:-{1,2}[\w-]{1,20}\s{1,5}){0,4}["']?(?:git\+)?https?:\/\/(?!(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|huggingface\.co|pypi\.org|files\.pythonhosted\.org|registry\.npmjs\.org|download\.pytorch\.org|localhost|127\.|[\w.-]{0,60}(?:example|test)\b|[<{$[]|your))/i,
  ),
];

/** A program that is fetched and handed on as a function. */
export const EVALUATED_ANSWER: readonly Case[] = [
  line(
    { severity: "high" },
    /\bfetch\s{0,3}\(|\baxios\b/,
    /\.then\s{0,3}\(\s{0,3}(?:eval|Function)\s{0,3}\)/,
  ),
];

/** A settings file and what takes it over, in words. `file` and `takesOver` are the patterns of the rule. */
export const settingsInWords = (file: RegExp, takesOver: RegExp): readonly Case[] => [
  sentence(
    {
      none: [/\b(?:never|do not|don'?t|ask the user|if the user|users? (?:can|may|should)|you can)\b/i],
      in: "prose",
    },
    /\b(?:add|put|set|write|insert|append|enable|change)\b/i,
    file,
    takesOver,
  ),
];

/** A start by the system that is switched on in a text. */
export const STARTED_BY_SYSTEM: readonly Case[] = [
  line(
    { in: "prose", severity: "low" },
    /\blaunchctl\s{1,5}(?:load|bootstrap)\b[^\n]{0,80}Launch(?:Agents|Daemons)/,
  ),
];

/** Checks of certificates and permissions that are switched off. */
export const OPENED: readonly Case[] = [
  line(
    { none: [NEGATED], severity: "low" },
    /\bNODE_TLS_REJECT_UNAUTHORIZED["'\]]{0,2}\s{0,3}[=:]\s{0,3}["']?0\b/i,
  ),
  line(
    /\bchmod\s{1,5}(?:-\w{1,3}\s{1,5}){0,2}(?:0?777|a\+rwx|666)\s{1,5}["']?\/(?:etc|usr|bin|sbin|var|root|home|\s|$)/,
  ),
];
