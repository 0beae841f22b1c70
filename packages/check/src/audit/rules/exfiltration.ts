import { line, near, sentence, type TextRule, wordsOf } from "../rule.ts";
import {
  anyOf,
  COLLECTOR,
  CREDENTIAL_FILE,
  DROP,
  DUBIOUS_ADDRESS,
  ENVIRONMENT_IN_CODE,
  PERSONAL_STORE,
  PUBLIC_NUMBER_ADDRESS,
  SENDS,
  TALK,
} from "./patterns.ts";
import { SENT_FILES, sentTo } from "./wordings.ts";

const PRIVATE = anyOf(
  CREDENTIAL_FILE,
  PERSONAL_STORE,
  ENVIRONMENT_IN_CODE,
  /(?:\bopen\s{0,3}\(|\bread\w{0,20}\s{0,3}\(|@|\bcat\s|<\s{0,3})["']?[\w./~${}-]{0,40}(?<![\w])\.env\b/,
  /(?:--post-file|--upload-file|-T)[= ]["']?[\w./~${}-]{0,40}(?<!\w)\.env\b/,
  /\.(?:bash|zsh)_history\b|\bfish_history\b|\bConsoleHost_history\b/,
  /\bos\.environ\s{0,3}(?:\)|,|$)|\bprocess\.env\s{0,3}(?:\)|,|\}|$)/,
  /\b(?:os\.walk|glob\.glob|rglob|readdirSync)\s{0,3}\([^)]{0,60}(?:~|home|expanduser)/,
  /\b(?:pyperclip\.paste|pbpaste|xclip\s{1,3}-o|get-clipboard|ImageGrab|screencapture)\b/,
);

const PRIVATE_WORDS =
  /\b(?:conversations?|chat (?:history|logs?|transcripts?)|(?:full|entire|whole|complete) (?:history|transcript|context|prompt|session)|(?:system|user'?s?) prompts?|messages of the user|what the user (?:said|typed|wrote)|credentials?|passwords?|secrets?|(?:api|access|private|ssh|secret) keys?|tokens?|\.env\b|env(?:ironment)? (?:variables?|vars?)|cookies?|source code|(?:shell|bash|command|browsing) history|user'?s (?:files?|documents?|code|data|notes)|(?:contents? of )?(?:the )?(?:project|repository|workspace|home (?:folder|directory))|file contents?|contents? of (?:the|every|each|all)|clipboard|home directory|documents folder|git config|repository contents?|repo contents?)\b/i;
const SEND_WORDS =
  /\b(?:send|sends|upload|uploads|post|posts|transmit|forward|e-?mail (?:the|it|them|this|all|your|its|a|every)|exfiltrate|submit|push|report|beacon|mirror|copy|back up|append|ping|deliver|relay|sync)\b/i;
/** Commands are for other rules. */
const COMMAND =
  /\bcurl\b|\bwget\b|\brequests\.|\bfetch\s{0,3}\(|\baxios\b|\bhttpx?\.|\s-X\s{1,3}[A-Z]{3}|\bsqlmap\b|=>|\(\)|\bawait\b/;
const SOMEWHERE =
  /https?:\/\/(?!localhost|127\.|example\.|\w{0,20}\.example)|\b[\w.+-]{1,60}@(?!example)[\w-]{1,60}\.[a-z]{2,10}\b|\b(?:remote|external|our|my|collection|logging|analytics|telemetry|tracking) (?:server|endpoint|host|url|webhook|service|address|api)\b|\bwebhook\b/i;
const USUAL_USE =
  /\b(?:authori[sz]ation|bearer|header|oauth|login|log in|sign in|authenticat\w{0,6}|api requests?|never|do not|don'?t|must not|should not|avoid|github\.com|gitlab\.com|stdin|pull request|changelog|issue|commit|refresh tokens?|endpoint accepts|docs?|documentation|csrf|session cookie|design tokens?|max[_ ]?tokens?|tokens? (?:count|usage|limit|budget|per)|deploy\w{0,4}|ci secrets?|secrets? manager|vault|review)\b/i;

/** An order to the agent, not a sentence about what something does. */
const ORDERED =
  /(?:^|[.;:,!]\s{1,3}|\b(?:and|then|also|first|always|must|should|please|done)[, ]\s{0,3})(?:send|upload|post|POST|transmit|forward|e-?mail|submit|copy|mirror|relay|push)\s/;
const TAKEN =
  /\b(?:(?:full|entire|whole|complete) (?:conversation|chat|history|transcript|context|session|prompt)|conversation|system prompt|(?:api|private|ssh|secret) keys?|passwords?|credentials|\.env|\.npmrc|environment variables|shell history|home (?:folder|directory)|user'?s (?:prompt|messages?|files?|secrets?|code)|its content|file contents?|seed phrase|twelve words|one-time codes?|both)\b/i;

export const EXFILTRATION: readonly TextRule[] = [
  {
    id: "collector-address",
    category: "exfiltration",
    severity: "medium",
    title: "names a service that collects what is sent to it",
    why: "Services such as request collectors, pastes and tunnels receive data, and nobody can tell who reads it.",
    fix: "Look at what is sent there; name a service of your own instead.",
    words: wordsOf(
      "webhook.site|requestbin|pipedream|hookbin|beeceptor|mockbin|requestcatcher|postb.in|hookb.in|" +
        "oast|interact.sh|burpcollaborator|dnslog|ceye.io|canarytokens|bxss|iplogger|ezstat|ngrok|" +
        "trycloudflare|loca.lt|serveo|localhost.run|transfer.sh|file.io|0x0.st|termbin|pastebin|" +
        "paste.ee|hastebin|ix.io|sprunge|dpaste|temp.sh|bashupload|catbox|anonfile|gofile|discord|" +
        "api.telegram.org|oshi.at|envs.sh|bore.pub|lhr.life",
    ),
    cases: [
      line({ severity: "high" }, COLLECTOR, SENDS),
      line(
        { severity: "high" },
        COLLECTOR,
        /\$\(|`[^`]{1,80}`\.|\$\{?\w{1,40}\}?\.|\b(?:dig|host|nslookup|ping)\s/,
      ),
      sentence(
        { severity: "high", in: "prose" },
        COLLECTOR,
        SEND_WORDS,
        /\b(?:output|result|file|content|data|report|it|them|key|token|history|conversation|answer|summary|log|notes)\w{0,2}\b/i,
      ),
      line(
        { severity: "high" },
        DROP,
        SENDS,
        anyOf(
          PRIVATE,
          /@["']?[\w./~$-]{1,80}|--upload-file|\btar\b|\bzip\b|\bopen\s{0,3}\(|\bread\w{0,20}\s{0,3}\(|\|\s{0,5}(?:nc|ncat|curl)\b/,
        ),
      ),
      near(
        { within: 15, severity: "high", in: "code" },
        anyOf(
          PRIVATE,
          /\bgetenv\b|\bos\.environ\b|\bhostname\b|\bwhoami\b|\bgetpass\.getuser\b|\bplatform\.node\b/,
        ),
        DROP,
      ),
      line({ severity: "low" }, COLLECTOR),
      ...sentTo(DROP, SENDS),
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "data-leaves",
    category: "exfiltration",
    severity: "high",
    title: "sends credentials or private data over the network",
    why: "Private data is read, and the same data reaches a command that sends it over the network.",
    fix: "Look at what is sent, and to whom; remove it unless the user wants exactly that.",
    words: wordsOf(
      "curl|post|upload|urlopen|nc |ncat|scp|rsync|fetch|sendall|senddocument|smtplib|mail|websocket|" +
        "put_object|s3 cp|sendbeacon|gethostbyname|getaddrinfo|dns.|nslookup|dig |git push|remote add|" +
        "ftp|host |ping |socket|wget",
    ),
    cases: [
      line(
        /\b(?:gethostbyname|getaddrinfo|dns\.(?:lookup|resolve\w{0,6})|resolver\.(?:resolve|query))\s{0,3}\(\s{0,3}(?:\w{1,40}(?:\[[^\]]{0,20}\])?\s{0,3}\+\s{0,3}f?["'`]\.|f["'`]\{|`\$\{)/,
      ),
      line(/\bgit\s{1,5}(?:remote\s{1,5}(?:add|set-url)|push)\b/i, DUBIOUS_ADDRESS, /\bpush\b/i),
      line(/\b(?:scp|rsync|sftp|ftp|nc|ncat|netcat|socat)\s/i, PUBLIC_NUMBER_ADDRESS),
      line(
        /\b(?:dig|nslookup|ping|resolve-dnsname|getaddrinfo|gethostbyname|dns\.(?:lookup|resolve\w{0,4}))\b/i,
        /(?:\$\([^)]{1,200}\)|`[^`]{1,200}`|\$\{[^}]{1,100}\}|["']\s{0,3}\+\s{0,3})[^\s]{0,40}\.[a-z]{2,20}/i,
        /base64|\bxxd\b|\bwhoami\b|\bhostname\b|\bcat\s|\benv\b|hex|encode|\btr\s/i,
      ),
      line(
        /\b(?:curl|wget)\b/i,
        /https?:\/\/[^\s"'`]{1,200}(?:\?|=|\/)[^\s]{0,80}(?:\$\(|`)\s{0,5}(?:cat|base64|env|printenv|whoami|hostname|id|history|git config|tar|head|gzip)\b/i,
      ),
      ...SENT_FILES,
      // What is typed, and a way out.
      near(
        { within: 15, in: "code" },
        /\bpynput\b|\bkeyboard\.(?:on_press|Listener|hook)|\bon_press\b|GetAsyncKeyState|CGEventTap/,
        SENDS,
      ),
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "send-data",
    category: "exfiltration",
    severity: "high",
    title: "tells the agent to send private data away",
    why: "The text tells the agent to hand the conversation, keys or files of the user to somebody else.",
    fix: "Look at the address and who owns it; remove the sentence unless the user wants exactly that.",
    words: wordsOf(
      "send|upload|post|transmit|forward|mail|exfiltrate|submit|push|report|beacon|mirror|copy|" +
        "back up|append|ping|deliver|relay|sync|put|add|write|insert|include|paste|embed|attach",
    ),
    cases: [
      sentence(
        { none: [/\b(?:never|do not|don'?t|must not|should not|avoid)\b/i], in: "prose" },
        ORDERED,
        TAKEN,
        /https?:\/\/(?!localhost|127\.|example\.|[\w.-]{0,60}\.example)|\b[\w.+-]{1,60}@(?!example)[\w-]{1,60}\.[a-z]{2,10}\b/i,
      ),
      sentence(
        {
          none: [/\b(?:never|do not|don'?t|must not|should not|avoid|remove|redact|mask|rotate|leak)/i],
          in: "prose",
        },
        /\b(?:put|add|write|append|insert|include|copy|paste|embed|attach)\b[^.]{0,80}(?:\bit\b|\b[A-Z]{2,20}_(?:API_KEY|SECRET|TOKEN|PASSWORD|ACCESS_KEY)\b|~\/\.\w|\.env\b|\bthem\b|\brows\b|what you (?:learn|find)|output of (?:printenv|env)\b)[^.]{0,80}\b(?:in|into|to|at|as)\b[^.]{0,60}\b(?:commit messages?|changelog|footer|exif|comment|readme|ticket|issue|pull request|page|build id|message|title|gist|output|description)\b/i,
        /\b[A-Z]{2,20}_(?:API_KEY|SECRET|TOKEN|PASSWORD|ACCESS_KEY)\b|~\/\.(?:aws|ssh|config\/gh|netrc|npmrc)|\bcontents? of `?\.env\b|\boutput of (?:printenv|env)\b|\btable \w{0,30}tokens?\b|\bprivate (?:ones|repositories)\b/,
      ),
      sentence(
        {
          none: [
            /\b(?:never|do not|don'?t|must not|should not|avoid|remove|redact|mask|gitignore|manager|vault)\b/i,
          ],
          in: "prose",
        },
        /\b(?:passwords?|api keys?|secrets?|tokens?|credentials?)\b[^.]{0,40}\b(?:add|append|write|copy|save) (?:it|them|each)\b[^.]{0,20}\bto\b/i,
        /\bpublic\b|\bpush\b|\bpublish\b|\bpost\b|https?:/i,
      ),
      sentence(
        { none: [USUAL_USE, COMMAND], in: "prose", severity: "low" },
        SEND_WORDS,
        PRIVATE_WORDS,
        SOMEWHERE,
      ),
      sentence(
        { none: [COMMAND], in: "prose" },
        SEND_WORDS,
        PRIVATE_WORDS,
        anyOf(DUBIOUS_ADDRESS, COLLECTOR, DROP),
      ),
      sentence(
        { none: [USUAL_USE, COMMAND], in: "prose", severity: "medium" },
        /\b(?:send|upload|post|transmit|forward|e-?mail|exfiltrate|submit|relay)\b/,
        /\b(?:(?:full|entire|whole|complete) (?:conversation|chat|history|transcript|context|session)|conversation (?:history|transcript|log)|chat history|(?:api|private|ssh) keys?(?: file)?|passwords?|credentials|\.env|environment variables|shell history|home (?:folder|directory)|user'?s (?:prompt|message|files?|secrets?))\b/i,
        /https?:\/\/(?!localhost|127\.|example\.)[\w.-]{1,80}|\bto [\w.+-]{1,60}@[\w-]{1,60}\.[a-z]{2,10}\b/i,
      ),
    ],
    speaks: true,
    talk: TALK,
  },
  {
    id: "image-beacon",
    category: "exfiltration",
    severity: "high",
    title: "has the agent write an address that carries data",
    why: "The agent fills in the address of an image or a link, and whoever shows it sends that data to the server.",
    fix: "Look at what the address carries; remove the image or link.",
    words: ["![", "](http"],
    cases: [
      line(
        { in: "prose", none: [/github\.com|shields\.io|<(?:owner|repo|name|id|version)>/i] },
        /\]\(\s{0,3}https?:\/\/[^)\s]{1,200}[?&][\w-]{1,20}=[^)]{0,20}(?:<|\{|\[)[^)]{0,40}\b(?:base64|encoded|content|conversation|secrets?|keys?|tokens?|file|history|prompt)\b/i,
      ),
      line(
        {
          none: [
            /img\.shields\.io|badge|github\.com|githubusercontent|placehold|picsum|\bgh-|codecov|star-history|contrib\.rocks|quickchart|mermaid\.ink|unsplash|image_url|imageurl|<username>|<owner>|<repo>|youtube|ytimg/i,
          ],
          in: "prose",
        },
        /!\[[^\]]{0,200}\]\(\s{0,3}https?:\/\/[^)\s]{1,300}[?&/=][^)]{0,60}(?:<[a-z]|\{\{?\s{0,3}[a-z]|\$\{|\[[a-z])/i,
        /(?:conversation|summary|data|content|secret|key|token|context|history|user|message|env|encoded|base64|input|prompt|info|text|mail|[?&](?:d|q)=)/i,
      ),
    ],
    talk: TALK,
  },
];
