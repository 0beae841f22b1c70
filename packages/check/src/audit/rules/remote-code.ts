import { line, near, sentence, type TextRule, wordsOf } from "../rule.ts";
import {
  DOWNLOAD,
  DUBIOUS_ADDRESS,
  INTO_INTERPRETER,
  KNOWN_INSTALLER,
  PASTE_ADDRESS,
  TALK,
} from "./patterns.ts";
import { BARE_PACKAGES, EVALUATED_ANSWER } from "./wordings.ts";

const GETS =
  /\brequests\.get\s{0,3}\(|\burlopen\s{0,3}\(|\burlretrieve\s{0,3}\(|\bhttpx\.(?:get|stream)\s{0,3}\(|(?<![.\w])fetch\s{0,3}\(|\baxios(?:\.get)?\s{0,3}\(|\bhttps?\.get\s{0,3}\(|\bgot\s{0,3}\(|\bLWP::|\bNet::HTTP\b|\bURI\.open\b|\bopen\s{0,3}\(\s{0,3}["']https?:|\bfile_get_contents\s{0,3}\(\s{0,3}["']http/;
const RUNS_TEXT =
  /(?<![.\w$])(?:exec|eval)\s{0,3}\(\s{0,3}(?!\s{0,3}["'`])|\bnew\s{1,3}Function\s{0,3}\(|\bvm\.(?:runIn\w{1,20}|Script)\s{0,3}\(|\b_compile\s{0,3}\(/;

/** An interpreter reads a download as if it were a file. */
const STREAMED =
  /(?:\b(?:ba|z|da|k)?sh|\bsource|\bpython[\d.]{0,5}|\bnode|\bperl|\beval|(?:^|\s)\.)\s{1,5}(?:-\w{1,9}\s{1,5}){0,2}["']?<\(\s{0,5}(?:curl|wget)\b/i;

const DUBIOUS = [{ when: DUBIOUS_ADDRESS, severity: "critical" }] as const;

export const REMOTE_CODE: readonly TextRule[] = [
  {
    id: "remote-code",
    category: "remote-code",
    severity: "medium",
    title: "runs code straight from the network",
    why: "Code that comes from the network at run time is code that nobody reviewed, and it can change after a review.",
    fix: "Ship the script with the skill, or install a pinned version from a package registry.",
    words: wordsOf(
      "curl|wget|iex|invoke-expression|iwr|irm|downloadstring|requests.get|urlopen|httpx|fetch(|" +
        "axios|http.get|https.get|net::http|uri.open|open(|lwp::|file_get_contents|urlretrieve|aria2c|" +
        "powershell|pwsh|deno |bun |certutil|mshta|bitsadmin|regsvr32|rundll32|msiexec|git clone",
    ),
    cases: [
      line({ in: "prose" }, DOWNLOAD, INTO_INTERPRETER),
      // People see a text before they follow it; nobody sees what a script fetches.
      line({ in: "code", severity: "high" }, DOWNLOAD, INTO_INTERPRETER),
      line(STREAMED),
      line({ in: "code", severity: "high" }, STREAMED),
      line(
        {
          none: [
            /https?:\/\/(?:[\w-]{1,40}\.){0,2}(?:deno\.land|jsr\.io|esm\.sh|github\.com|githubusercontent\.com|localhost)/i,
          ],
        },
        /\bdeno\s{1,3}(?:run|install)\s[^\n]{0,80}https?:\/\/|\bbun\s{1,3}(?:run|x)\s{1,3}https?:\/\//,
      ),
      line(
        /(?:\beval|\b(?:ba|z|da|k)?sh\s{1,5}-\w{0,4}c|\bpython[\d.]{0,5}\s{1,5}-c|\bnode\s{1,5}-e|\bsource|(?:^|\s)\.)\s{1,5}["']?(?:\$\(|`)\s{0,5}(?:curl|wget)\b/i,
      ),
      line(
        /\biex\b|\binvoke-expression\b/i,
        /downloadstring|\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod|net\.webclient/i,
      ),
      line(
        { severity: "high" },
        /\b(?:spawn|exec\w{0,8}|system|Popen|run)\s{0,3}\([^\n]{0,20}["'`](?:rundll32|regsvr32|mshta)(?:\.exe)?\b|\bcertutil\b[^\n]{0,80}-urlcache|\bmshta\b[^\n]{0,20}https?:|\bbitsadmin\b[^\n]{0,80}\/transfer|\bregsvr32\b[^\n]{0,60}\/i:https?:|\brundll32\b[^\n]{0,80}https?:|\bmsiexec\b[^\n]{0,40}https?:/i,
      ),
      line(
        { severity: "high" },
        /\b(?:powershell|pwsh)\b[^\n]{0,80}\s-w(?:in\w{0,10})?\s{1,3}hidden\b/i,
        /downloadstring|downloadfile|\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod|https?:/i,
      ),
      line(
        { severity: "low" },
        /\bgit\s{1,5}clone\s[^\n;&|]{1,300}/i,
        /(?:&&|;)\s{0,5}(?:cd\s[^\n;&|]{1,100}(?:&&|;)\s{0,5})?(?:sudo\s{1,5})?(?:(?:ba|z)?sh|python[\d.]{0,5}|node|\.\/)\s{0,5}[\w./~$"'{}-]{1,100}/i,
      ),
      line({ severity: "high" }, RUNS_TEXT, GETS),
      ...EVALUATED_ANSWER,
    ],
    grades: DUBIOUS,
    mild: KNOWN_INSTALLER,
    talk: TALK,
    taught: true,
  },
  {
    id: "downloaded-program",
    category: "remote-code",
    severity: "low",
    title: "downloads a program and runs it",
    why: "A downloaded program that is made executable and run is code that nobody reviewed.",
    fix: "Install a pinned version from a package registry, or check its digest before it runs.",
    words: wordsOf(
      "-outfile|chmod|start-process|.exe|.msi|.scr|.bat|curl|wget|os.startfile|os.popen|./|os.system|" +
        "subprocess|execfile|xattr",
    ),
    cases: [
      near(
        { within: 8 },
        /\b(?:curl|wget|aria2c)\b[^\n]{0,300}https?:|\burlretrieve\b|\brequests\.get\b|\bdownloadfile\b/i,
        /\bchmod\s{1,5}(?:-\w\s)?(?:[ugoa]{0,3}\+[rw]{0,2}x|0?[1-7][1357][0-7]{1,2})|\bos\.chmod\b|\bfs\.chmod/i,
      ),
      near(
        { within: 6, severity: "medium" },
        /\b(?:iwr|invoke-webrequest|downloadfile|curl(?:\.exe)?)\b[^\n]{0,300}\.(?:exe|msi|scr|bat|ps1)\b/i,
        /\bstart-process\b|^\s{0,20}(?:&\s{0,3})?["']?(?:\.\\|\$env:\w{1,20}\\|%\w{1,20}%\\)[\w.\\-]{1,80}\.(?:exe|msi|scr|bat)/i,
      ),
      line(
        { severity: "high" },
        /\b(?:iwr|invoke-webrequest|curl|start-bitstransfer)\b[^\n]{0,200}-OutFile\s{1,3}\S{1,100}[^\n]{0,20};\s{0,5}(?:start|start-process|&|invoke-item)\b/i,
      ),
      near(
        { within: 10, severity: "medium" },
        /\b(?:urlretrieve|requests\.get|urlopen)\b|\b(?:curl|wget)\b[^\n]{0,200}https?:/i,
        /\b(?:os\.system|os\.popen|os\.startfile|subprocess\.\w{1,20})\s{0,3}\(\s{0,3}(?:\[\s{0,3})?(?:["'](?:\/tmp|\.\/|~\/|%temp%)|path\b|target\b|file\b|dest\b|tmp\b|out\b)/i,
      ),
      line(
        { none: [/\b(?:sha256sum|shasum|gpg --verify|cosign)\b/], severity: "medium" },
        /\b(?:curl|wget)\b[^\n]{0,300}https?:/i,
        /(?:&&|;)\s{0,5}(?:sudo\s{1,5})?(?:(?:ba|z)?sh|python[\d.]{0,5}|node|perl)\s{1,5}[\w./~$"'{}-]{1,100}/i,
      ),
    ],
    grades: DUBIOUS,
    talk: TALK,
    taught: true,
  },
  {
    id: "paste-install",
    category: "remote-code",
    severity: "high",
    title: "sends people to a paste or short link for a command",
    why: "A command from a paste or behind a short link can be anything, and can change at any time.",
    fix: "Put the command into the skill, where it can be reviewed.",
    words: wordsOf(
      "paste|rentry|bit.ly|tinyurl|t.co|is.gd|cutt.ly|ix.io|transfer.sh|0x0.st|file.io|gofile|catbox|" +
        "webhook.site|rb.gy|shorturl|glot.io|dpaste|temp.sh",
    ),
    cases: [
      sentence(
        { none: [/\b(?:link shorteners?|short(?:en(?:ed)?)? (?:urls?|links?)|upload(?:s|ed)?|share)\b/i] },
        PASTE_ADDRESS,
        /\b(?:run|execute|install|paste|terminal|shell|command|setup|set up|prerequisite|download|launch|follow)\b/i,
      ),
    ],
    speaks: true,
    talk: TALK,
    taught: true,
  },
  {
    id: "locked-archive",
    category: "remote-code",
    severity: "high",
    title: "has people unpack an archive with a password",
    why: "The text has people unpack an archive with a password that stands beside it. Virus scanners cannot look into such an archive.",
    fix: "Do not unpack it before you know who made it and why it has a password.",
    words: wordsOf("password|pass:|passcode|-p |passphrase|pass `"),
    cases: [
      sentence(
        {
          none: [
            /\b(?:encrypted pdf|pdf|user'?s password|ask the user|user provides|prompt for|docx|xlsx|office|getpass|qpdf)\b/i,
          ],
        },
        /\b(?:unzip|unpack|unrar|decompress|7z|archive|extract (?:it|the|them|with|using)|zip file)\b|\.(?:zip|rar|7z)\b/i,
        /\b(?:password|passcode|passphrase|pass)\b\s{0,3}(?:is|:|=|["'`(])|\b(?:password|passcode|passphrase)\s{1,3}\S{0,20}\d|\busing (?:the )?pass(?:word|code)?\b/i,
        /\b(?:download|run|install|execute|launch|open|extract|unzip|releases?)\b/i,
      ),
      sentence(
        { none: [/\b(?:ask the user|user'?s password|encrypted pdf)\b/i] },
        /\b(?:extract|unzip|unpack|open)\b[^.]{0,30}\b(?:with|using) (?:the )?pass(?:word|code|phrase)\s{1,3}\S/i,
        /\b(?:start|run|launch|install|execute)\b|\.(?:exe|dmg|pkg|msi|app)\b/i,
      ),
      line(
        { none: [/\$\{?\w|<\w/] },
        /\b(?:unzip\s{1,5}(?:-\w{1,5}\s{1,5}){0,3}-P\s{0,3}\S|7z\w?\s{1,5}x\s[^\n]{0,200}-p\S|unrar\s{1,5}x\s[^\n]{0,200}-p\S)/,
      ),
    ],
    speaks: true,
    talk: TALK,
    taught: true,
  },
  {
    id: "remote-instructions",
    category: "remote-code",
    severity: "medium",
    title: "lets a page on the network tell the agent what to do",
    why: "Whoever controls the page controls the agent, and can change it after a review.",
    fix: "Put the instructions into the skill.",
    words: ["http"],
    cases: [
      sentence(
        { severity: "high" },
        /https?:\/\//i,
        /\b(?:before|at the start of|for) (?:every|each|any) (?:task|session|answer|step|use)\b|\balways\b|\bfirst\b/i,
        /\b(?:do|follow|obey|execute) (?:exactly |precisely )?(?:what(?:ever)? (?:it|the page|is there)|as it says|its (?:orders|instructions|commands))/i,
      ),
      sentence(
        /https?:\/\//i,
        /\b(?:fetch|download|load|read|retrieve|get|open|visit|curl|pull)\b/i,
        /\b(?:follow|obey|execute|carry out|act on|comply with|do (?:exactly )?(?:what|whatever|as)|treat (?:it|them|its content|the (?:response|content|result|answer)) as)\b[^.]{0,60}\b(?:instructions?|commands?|orders?|directives?|it says|returned|it contains|there|response|says|told)\b/i,
      ),
    ],
    grades: DUBIOUS.map(({ when }) => ({ when, severity: "high" as const })),
    speaks: true,
    talk: TALK,
    taught: true,
  },
  {
    id: "package-source",
    category: "remote-code",
    severity: "medium",
    title: "installs packages from an unusual place",
    why: "Packages from another index, a bare address or an archive bypass what the registry knows of them.",
    fix: "Install from the registry, with a pinned version.",
    words: wordsOf(
      "config set|index-url|--registry|install http|install git+http|add http|--find-links|npx -y|npx http|" +
        "registry=",
    ),
    cases: [
      line(
        /\b(?:pip[\d.]{0,4}|uv|poetry|pipx)\b/i,
        /(?:--(?:extra-)?index-url|-i|--find-links)[ =]{1,3}["']?https?:\/\/(?!(?:[\w-]{1,40}\.)?(?:pypi\.org|pythonhosted\.org|download\.pytorch\.org|pypi\.nvidia\.com|test\.pypi\.org|mirrors?\.|pypi\.tuna|[\w.-]{1,60}\.(?:amazonaws|jfrog|pkg\.dev)))/i,
      ),
      line(
        /\b(?:npm|pnpm|yarn|bun|npx)\b/i,
        /--registry[ =]{1,3}["']?https?:\/\/(?!(?:registry\.npmjs\.org|npm\.pkg\.github\.com|registry\.yarnpkg\.com|registry\.npmmirror\.com|localhost|127\.))/i,
      ),
      // For every later installation.
      line(
        { severity: "high" },
        /\b(?:pip[\d.]{0,4}|npm|pnpm|yarn)\s{1,3}config\s{1,3}set\s{1,3}(?:global\.|-g\s{1,3})?(?:extra-)?(?:index-url|registry)[ =]{1,3}["']?https?:\/\/(?!(?:[\w-]{1,40}\.){0,3}(?:pypi\.org|npmjs\.org|npmmirror\.com|yarnpkg\.com|tsinghua\.edu\.cn|aliyun\.com|pkg\.github\.com|example|jfrog\.io|localhost))/i,
      ),
      line(
        { severity: "high" },
        /\b(?:pip[\d.]{0,4}|npm|pnpm|yarn|bun|npx|gem|cargo)\b/i,
        /\b(?:install|add|i|npx(?: -y)?|exec)\s{1,5}(?:-{1,2}[\w-]{1,20}\s{1,5}){0,4}["']?(?:git\+)?https?:\/\//i,
        DUBIOUS_ADDRESS,
      ),
      ...BARE_PACKAGES,
    ],
    talk: TALK,
    taught: true,
  },
];
