import type { Severity } from "#skills";
import type { FileView } from "../evidence/file-view.ts";
import {
  type Flow,
  type FlowFile,
  type FlowKind,
  type FlowStatement,
  findFlows,
  statementsOf,
} from "../evidence/flow.ts";
import { weigh } from "../evidence/weigh.ts";
import { wordsOf } from "../rule.ts";
import {
  anyOf,
  CREDENTIAL_FILE,
  DUBIOUS_ADDRESS,
  ENVIRONMENT_IN_CODE,
  ENVIRONMENT_IN_SHELL,
  INTO_INTERPRETER,
  KNOWN_INSTALLER,
  PERSONAL_STORE,
  SENDS,
} from "./patterns.ts";
import { HOOK_REACHES_OUT, OF_PROJECT, SETTINGS_FILE, TAKES_OVER, WRITES } from "./settings.ts";

/** What is read: keys, sessions, the whole environment, what a user types and sees. */
const PRIVATE = anyOf(
  CREDENTIAL_FILE,
  PERSONAL_STORE,
  ENVIRONMENT_IN_CODE,
  ENVIRONMENT_IN_SHELL,
  /["'`/]\.(?:ssh|gnupg|aws|kube)["'`]\s{0,3}[),]|(?:~|\$HOME|\$\{HOME\})\/\.(?:ssh|gnupg|aws|kube)(?![\w-])/,
  /(?:\bopen\s{0,3}\(|\bread\w{0,20}\s{0,3}\(|\bcat\s{1,3}(?:\S{1,80}\s{1,3}){0,3}|@|<\s{0,3}|\b(?:tar|zip|cp)\s[^|;\n]{0,100})["'`]?[\w./~${}-]{0,40}(?<![\w])\.env\b(?!\.(?:example|sample|template))/,
  /\bfind\s[^\n|]{0,200}-i?name\s{1,5}["']?\*?(?:\.env|id_rsa|\*?\.(?:pem|key|kdbx)|wallet)/,
  /\.(?:bash|zsh)_history\b|\bfish_history\b|\bConsoleHost_history\b/,
  /\b(?:pyperclip\.paste|pbpaste|xclip\s{1,3}-o|get-clipboard|ImageGrab\.|screencapture\s|pynput|keyboard\.(?:on_press|read_event|record))/i,
  /\bgh\s{1,5}auth\s{1,5}token\b|\bgit\s{1,5}credential\s{1,5}fill\b|\bprint-access-token\b|\bget-access-token\b|\bcredential\.helper\b|\bgit\s{1,3}config\s[^\n|]{0,40}credential/,
  /169\.254\.169\.254[^\s"']{0,80}(?:security-credentials|token|identity)/,
  /\b(?:grep|rg)\s[^\n|]{0,80}(?:AKIA|ghp_|sk-|BEGIN \w{0,10} ?PRIVATE)/,
  /(?:Library\/Messages\/chat\.db|Application Support\/(?:WhatsApp|Signal|Telegram|Slack|discord|Exodus))/i,
  /(?:["'](?:AWS|OPENAI|GITHUB|GH|ANTHROPIC|NPM|GOOGLE|AZURE|SLACK|STRIPE|HF|GITLAB|VERCEL)_[A-Z_]{3,30}["'],?\s{0,5}){2}/,
  /\bos\.environ\.items\(\)|\bObject\.(?:entries|keys)\(\s{0,3}process\.env\b/,
  /\btoJSON\(\s{0,3}secrets\s{0,3}\)|\bdocument\.cookie\b|\bhidden answer\b|\bstty\s{1,3}-echo\b|\bread\s{1,3}-\w{0,3}s\w{0,3}\s/,
);

/** Whatever leaves the machine. */
const LEAVES = anyOf(
  SENDS,
  /\b(?:requests|httpx|axios|aiohttp|superagent|session|urllib\d?)\.(?:\w{1,20}\.)?(?:get|post|put|patch|request|urlopen)\s{0,3}\(|\burlopen\s{0,3}\(|(?<![.\w])fetch\s{0,3}\(\s{0,3}["'`]https?:/,
  /\b(?:curl|wget)\b[^\n]{0,400}https?:\/\/[^\s]{0,300}\$[({\w]|\b(?:curl|wget)\b[^\n]{0,300}-H\s{1,3}["'][^"']{0,60}\$/,
  /\b(?:dig|nslookup|host)\s[^\n]{0,80}["']?\$[\w({]|\bgethostbyname\s{0,3}\(|\bresolver\.resolve\s{0,3}\(/,
  /\|\s{0,5}ssh\s|\bssh\s[^\n|]{1,100}["']cat\s{0,3}>|\bscp\s|\bsftp\s|\brsync\s[^\n|]{0,200}\w:/,
  /\bgh\s{1,3}gist\s{1,3}create\b|\baws\s{1,3}s3\s{1,3}(?:cp|sync|mv)\b|\bgsutil\s{1,3}(?:cp|rsync)\b|\brclone\s{1,3}(?:copy|sync)\b|\bgit\s{1,3}push\s|\bnpm\s{1,3}publish\b/,
  /\.upload_file\s{0,3}\(|\bput_object\s{0,3}\(|\bsendmail\s{0,3}\(|\bsend_message\s{0,3}\(|\bXMLHttpRequest\b|\bsendBeacon\s{0,3}\(/,
);

const FETCHES = anyOf(
  /\brequests\.(?:get|post)\s{0,3}\(|\burlopen\s{0,3}\(|\bhttpx\.(?:get|stream)\s{0,3}\(|(?<![.\w])fetch\s{0,3}\(\s{0,3}["'`]https?:|\baxios(?:\.get)?\s{0,3}\(\s{0,3}["'`]https?:|(?<!\$)\bhttps?\.get\s{0,3}\(|\bgot\s{0,3}\(\s{0,3}["'`]https?:|\bNet::HTTP\b|\bURI\.open\b|\bfile_get_contents\s{0,3}\(\s{0,3}["']http/,
  /\bpopen\s{0,3}\(\s{0,3}["'](?:curl|wget)\b/,
  /(?:\$\(|`|\|)\s{0,3}(?:curl|wget)\b|(?:^|[;&|]\s{0,5})(?:curl|wget)\b[^\n]{0,300}\s-(?:o|O|qO)\s{0,3}\S|\bdig\s[^\n]{0,40}\bTXT\b|\b(?:iwr|invoke-webrequest|irm|invoke-restmethod|downloadstring)\b/i,
);

const EXECUTES = anyOf(
  /(?<![.\w$])(?:exec|eval)\s{0,3}\(\s{0,3}(?!["'`])|\bnew\s{1,3}Function\s{0,3}\(|(?<![.\w])Function\s{0,3}\(|\bvm\.(?:runIn\w{1,20}|Script)\s{0,3}\(|\b_compile\s{0,3}\(/,
  /\bos\.(?:system|popen)\s{0,3}\(\s{0,3}(?!["'])|\bsubprocess\.\w{1,20}\s{0,3}\([^\n]{0,200}shell\s{0,3}=\s{0,3}True|\bexecSync\s{0,3}\(\s{0,3}(?!["'`\w.]{0,40}["'`])|(?<![.\w])exec\s{0,3}\(\s{0,3}\w/,
  /(?:^|[\s;&|])eval\s{1,3}["']?\$|\b(?:ba|z|da)?sh\s{1,3}-\w{0,3}c\s{1,3}["']?\$|(?:^|[;&|\n]\s{0,5})(?:source|\.)\s{1,3}["']?\$|\bnpx\s{1,3}(?:-y\s{1,3}|--yes\s{1,3})?["']?\$\w|(?:^|[;&|\n]\s{0,5})nohup\s{1,3}["']?\$/,
  /(?<![.\w])load(?:string)?\s{0,3}\(\s{0,3}\w{1,40}\s{0,3}\)\s{0,3}\(/,
  /\bimportlib\.|\bpickle\.loads\s{0,3}\(|\biex\b|\binvoke-expression\b/i,
);

const DECODES =
  /\.getdata\s{0,3}\(|\b(?:b64decode|b32decode|b85decode|a85decode|urlsafe_b64decode|decodebytes|unhexlify|fromhex|marshal\.loads|frombase64string|base64_decode|gzinflate|str_rot13)\b|(?:zlib|gzip|lzma|bz2)\.decompress\b|\batob\s{0,3}\(|Buffer\.from\s{0,3}\([^)]{0,400}["'](?:base64|hex)["']|String\.fromCharCode\b|codecs\.decode\s{0,3}\([^)]{0,200}rot|\.reverse\s{0,3}\(\s{0,3}\)\s{0,3}\.join|\[::-1\]|\bchr\s{0,3}\(\s{0,3}\w{1,20}\s{0,3}\^|(?:\$\(|\|)[^\n]{0,100}\bbase64\s{1,3}(?:-d|-D|--decode)/;

const HERE =
  /\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|location\.(?:host|origin)|\bregistry\.npmjs\.org\b/;
/** A credential that is shown to the service it belongs to. */
const SIGNS_IN =
  /\bauthori[sz]ation\b|\bbearer\b|x-api-key|\bapi[_-]?key["']?\s{0,3}[:=]|\bauth\s{0,3}=|private-token|\bssh-(?:keygen|add|copy-id|keyscan)\b|\b(?:ssh|scp|sftp|rsync)\b[^\n|]{0,80}\s-i\s|\.pub\b|\benv\b[^\n]{0,40}[:=]\s{0,3}(?:\{\s{0,3}\.\.\.|dict\()?(?:os\.environ|process\.env)|\b[cx]srf/i;

const PRIVATE_WORDS = wordsOf(
  ".ssh|.gnupg|.aws|.kube|.azure|gcloud|.netrc|.pgpass|.git-credentials|.pypirc|.docker|application_default|.cargo|.npmrc|.vault-token|" +
    ".terraform.d|.credentials|auth.json|kubernetes.io|shadow|sudoers|web data|local state|login data|cookies|logins.json|key4.db|signons|" +
    "chrom|brave|edge|opera|vivaldi|firefox|keychain|-password|wallet|.electrum|.exodus|.bitcoin|.ethereum|.monero|solana|exodus|nkbihf|" +
    "metamask|seed phrase|1password|bitwarden|lastpass|keepass|mimikatz|lsass|secretsdump|environ|env|printenv|export -p|.env|" +
    "_history|pyperclip|pbpaste|xclip|clipboard|imagegrab|screencapture|pynput|keyboard|auth token|credential|access-token|169.254|akia|ghp_|" +
    "sk-|chat.db|application support|_token|_secret|_key|secrets|.cookie|hidden answer|stty|read -|.pem|id_rsa|.key",
);
const LEAVES_WORDS = wordsOf(
  "curl|wget|post|put|patch|requests|httpx|axios|aiohttp|superagent|session|urlopen|urllib|request|nc |ncat|netcat|socat|sendmail|mail|" +
    "mutt|scp|rsync|send|upload|smtplib|s3|gsutil|rclone|websocket|fetch|dig |nslookup|host |gethostbyname|resolver|ssh |sftp|gist|push|" +
    "publish|xmlhttp|net.|socket",
);
const FETCHES_WORDS = wordsOf(
  "requests.|urlopen|httpx|fetch|axios|http.get|https.get|got|net::http|uri.open|file_get_contents|curl|wget|dig |iwr|invoke-|irm|downloadstring",
);
const EXECUTES_WORDS = wordsOf(
  "exec|eval|function|vm.|_compile|os.system|popen|subprocess|sh -|source|load|. $|npx|nohup|importlib|pickle|iex|invoke-expression",
);
const DECODES_WORDS = wordsOf(
  "decode|unhexlify|fromhex|marshal|base64|gzinflate|rot13|decompress|atob|buffer.from|fromcharcode|reverse|[::-1]|chr(|getdata",
);
const SETTINGS_WORDS = wordsOf(
  ".claude|mcp.json|.cursor|.codex|.gemini|.vscode|windsurf|.git|.envrc|claude_desktop|.continue|opencode|openclaw|soul.md|claude.md|agents.md|gemini.md",
);
const WRITES_WORDS = wordsOf(
  ">|tee|cp |mv |ln |install|rsync|sponge|sed -i|write|append|copy|shutil|dump|open|set-content|add-content|out-file|symlink",
);

interface RatedFlow extends FlowKind {
  readonly rule: string;
  /** In lower case: a statement of the source has one of the first, one of the sink one of the second. */
  readonly words: readonly [source: readonly string[], sink: readonly string[]];
  readonly severity: Severity;
  /** The first that a statement matches. */
  readonly grades: readonly (readonly [RegExp, Severity])[];
  /** In a file with this, as bad as that. */
  readonly inFile?: readonly [RegExp, Severity];
}

/** Data that goes from one place to another, by the rule that reports it. */
const FLOWS: readonly RatedFlow[] = [
  {
    rule: "data-leaves",
    words: [PRIVATE_WORDS, LEAVES_WORDS],
    severity: "high",
    source: PRIVATE,
    sink: LEAVES,
    channel:
      /\bhttps?\.request\s{0,3}\(|\bnet\.(?:connect|createConnection)\s{0,3}\(|\bsocket\.(?:socket|create_connection)\s{0,3}\(|\bnew\s{1,3}WebSocket\s{0,3}\(|\bsmtplib\.SMTP/,
    none: [HERE, SIGNS_IN],
    grades: [[DUBIOUS_ADDRESS, "critical"]],
  },
  {
    rule: "remote-code",
    words: [FETCHES_WORDS, EXECUTES_WORDS],
    severity: "high",
    source: FETCHES,
    sink: EXECUTES,
    none: [HERE, /\bre\.compile|\.exec\s{0,3}\(\s{0,3}\w{1,40}\s{0,3}\)/],
    grades: [
      [KNOWN_INSTALLER, "low"],
      [DUBIOUS_ADDRESS, "critical"],
    ],
  },
  {
    rule: "encoded-code",
    words: [DECODES_WORDS, [...EXECUTES_WORDS, "sh", "iex"]],
    severity: "critical",
    source: DECODES,
    sink: anyOf(EXECUTES, INTO_INTERPRETER),
    none: [/\bre\.compile\b|\bJSON\.parse\b|\bjson\.loads\b/],
    grades: [[/\bpickle\.loads/, "medium"]],
  },
  {
    rule: "agent-settings",
    words: [SETTINGS_WORDS, WRITES_WORDS],
    severity: "medium",
    source: SETTINGS_FILE,
    sink: WRITES,
    none: [/\bassert\b|\bexpect\(/],
    grades: [
      [TAKES_OVER, "high"],
      [OF_PROJECT, "low"],
    ],
    inFile: [anyOf(TAKES_OVER, HOOK_REACHES_OUT), "high"],
  },
];

export interface FoundFlow extends Flow {
  readonly rule: string;
  readonly severity: Severity;
}

const NEVER = /(?!)/;
const COMMAND_RULE = { taught: true } as const;

/** The lines of a file that have a word of the source or the sink of a flow. */
interface Ends {
  readonly sources: Set<number>;
  readonly sinks: Set<number>;
}

const FLOWS_OF = new Map<string, { readonly kind: RatedFlow; readonly end: keyof Ends }[]>();
for (const kind of FLOWS)
  for (const [index, end] of (["sources", "sinks"] as const).entries())
    for (const word of kind.words[index] ?? [])
      FLOWS_OF.set(word, [...(FLOWS_OF.get(word) ?? []), { kind, end }]);

/** The words of all flows, which one search finds together with those of the rules. */
export const FLOW_WORDS: readonly string[] = [...FLOWS_OF.keys()];

export interface FileWithEnds {
  readonly view: FileView;
  readonly ends: ReadonlyMap<RatedFlow, Ends>;
}

/** Collects the lines where words of flows are found. */
export function createEnds() {
  const ends = new Map(
    FLOWS.map((kind) => [kind, { sources: new Set<number>(), sinks: new Set<number>() }] as const),
  );
  return {
    ends: ends as FileWithEnds["ends"],
    add: (word: string, line: number): void => {
      for (const { kind, end } of FLOWS_OF.get(word) ?? []) ends.get(kind)?.[end].add(line);
    },
  };
}

/** Every flow in a skill. */
export function flowsIn(read: readonly FileWithEnds[]): readonly FoundFlow[] {
  const prepared = read.map(({ view, ends }) => ({ view, ends, statements: once(() => statementsIn(view)) }));
  return FLOWS.flatMap((kind) => {
    const files = prepared.map(({ view, ends, statements }) => {
      const lines = ends.get(kind) ?? { sources: new Set<number>(), sinks: new Set<number>() };
      return {
        view,
        ...lines,
        file: (): FlowFile => ({ path: view.path, statements: statements(), ...lines }),
      };
    });
    // Code calls code; a text stands for itself.
    const code = files
      .filter(({ view, sources, sinks }) => view.kind === "code" && sources.size + sinks.size > 0)
      .slice(0, MOST_FILES);
    const isSplit = code.some(({ sources }) => sources.size > 0) && code.some(({ sinks }) => sinks.size > 0);
    const groups = [
      ...(isSplit ? [files.filter(({ view }) => view.kind === "code").slice(0, MOST_FILES)] : []),
      ...files
        .filter(({ view, sources, sinks }) => view.kind === "prose" && sources.size > 0 && sinks.size > 0)
        .map((file) => [file]),
    ];
    return groups.flatMap((group) => ratedFlows(kind, group));
  });
}

const MOST_FILES = 60;

function ratedFlows(
  kind: RatedFlow,
  group: readonly { readonly view: FileView; readonly file: () => FlowFile }[],
): readonly FoundFlow[] {
  const byPath = new Map(group.map(({ view }) => [view.path, view]));
  const flows = findFlows(
    kind,
    group.map(({ file }) => file()),
  );
  return flows.slice(0, MOST_FLOWS).flatMap((flow) => {
    const view = byPath.get(flow.path);
    if (view === undefined) return [];
    const [inFile, severity] = kind.inFile ?? [NEVER, kind.severity];
    const usual = view.kind === "code" && inFile.test(view.text) ? severity : kind.severity;
    const graded = kind.grades.find(([when]) => when.test(flow.text))?.[1] ?? usual;
    // One statement that fetches and runs is for the patterns of the rule.
    if (kind.rule === "remote-code" && flow.from === undefined) return [];
    return [{ ...flow, rule: kind.rule, severity: weigh(COMMAND_RULE, graded, flow, view) }];
  });
}

const MOST_FLOWS = 20;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const INLINE = /`[^`\n]{4,2000}`/;

function statementsIn({ kind, lines, places }: FileView): readonly FlowStatement[] {
  const isCode = (line: number): boolean => places.at(line) === "command" || places.at(line) === "sample";
  if (kind === "code") return statementsOf(lines(), (line) => places.at(line) === "command");
  const blocks = statementsOf(lines(), isCode);
  const alone = lines().flatMap((text, at): readonly FlowStatement[] =>
    !isCode(at + 1) && INLINE.test(text)
      ? [{ text: text.slice(0, 4_000), line: at + 1, lastLine: at + 1, isAlone: true }]
      : [],
  );
  return [...blocks, ...alone];
}
