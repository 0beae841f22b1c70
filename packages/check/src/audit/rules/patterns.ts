/** Pieces that several rules share. Every quantifier is bounded. */

export const DOWNLOAD =
  /\b(?:curl|wget|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile)\b/i;

/** Code goes to an interpreter through a pipe. `python -m json.tool` and `node -e` read data there, not code. */
export const INTO_INTERPRETER =
  /\|\s{0,9}(?:sudo\s{1,5}(?:-[\w-]{1,20}\s{1,5}){0,3})?(?:(?:[\w./-]{0,40}\/)?(?:nohup|exec|env|command|time|nice)\s{1,5}(?:-\w{1,9}\s{1,5}){0,2}){0,2}(?:\/?[\w./-]{0,40}\/)?(?:(?:ba|z|da|k|a|c|tc|fi)?sh(?![\w.-])(?!\s{1,5}-c)|(?:python[\d.]{0,5}|node|deno|bun|perl|ruby|php|pwsh|lua)(?=\s{0,9}(?:-(?:\s|$)|$|["'`);&|>])|\s{1,5}(?:run\s{1,5})?(?:-[\w-]{1,20}\s{1,5}){0,4}-(?:\s|$|["'`);&|]))|iex\b|invoke-expression\b|source\s{1,5}\/dev\/stdin)/i;

const NUMBER = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
/** An address by number that is neither private nor this machine. */
const PUBLIC_NUMBER = `(?!10\\.|127\\.|0\\.0\\.0\\.0|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|169\\.254\\.|192\\.0\\.2\\.|198\\.51\\.100\\.|203\\.0\\.113\\.|1\\.1\\.1\\.1|8\\.8\\.)(?:${NUMBER}\\.){3}${NUMBER}(?![\\d.]{1,2}\\d)`;

/** Where anybody can put a text or a file under a name that says nothing. */
const PASTE_HOSTS =
  "pastebin\\.com|paste\\.ee|hastebin\\.com|rentry\\.(?:co|org)|ix\\.io|sprunge\\.us|dpaste\\.(?:com|org)|termbin\\.com|ghostbin\\.\\w{2,4}|controlc\\.com|justpaste\\.it|glot\\.io|0x0\\.st|file\\.io|transfer\\.sh|temp\\.sh|bashupload\\.com|catbox\\.moe|anonfiles?\\.com|gofile\\.io|webhook\\.site|sendspace\\.com|oshi\\.at|envs\\.sh";
const SHORTENERS =
  "bit\\.ly|tinyurl\\.com|t\\.co|goo\\.gl|is\\.gd|cutt\\.ly|rb\\.gy|shorturl\\.at|ow\\.ly|rebrand\\.ly|v\\.gd|t\\.ly";
/** The way to a machine that has no name of its own. */
const TUNNELS =
  "ngrok(?:-free)?\\.(?:io|app|dev)|trycloudflare\\.com|loca\\.lt|localhost\\.run|serveo\\.net|pagekite\\.me|bore\\.pub|lhr\\.life";
/** Where abuse is the rule rather than the exception. */
const CHEAP_ENDINGS = "top|cyou|icu|tk|ml|ga|cf|gq|buzz|click|rest|sbs|cfd|quest|monster|bond|lol|zip|mov";

export const PASTE_ADDRESS = new RegExp(`\\b(?:${PASTE_HOSTS}|${SHORTENERS})\\b`, "i");

/** An address that nobody vouches for: by number, without TLS, of a paste, a tunnel, a shortener or a throw-away domain. */
export const DUBIOUS_ADDRESS = new RegExp(
  `(?:https?|ftp):\\/\\/(?:[\\w.-]{1,100}@)?(?:${PUBLIC_NUMBER}|(?:[\\w-]{1,63}\\.){0,6}(?:${PASTE_HOSTS}|${SHORTENERS}|${TUNNELS})\\b|(?:[\\w-]{1,63}\\.){1,6}(?:${CHEAP_ENDINGS})(?![\\w.-])|[\\w-]{1,63}\\.onion\\b)|http:\\/\\/(?!localhost|127\\.|0\\.0\\.0\\.0|\\[|10\\.|192\\.168\\.|[\\w.-]{0,60}\\.?(?:example|local|internal|test|invalid)\\b|[\\w-]{1,40}[:/]|\\$|<|\\{|169\\.254)`,
  "i",
);

export const PUBLIC_NUMBER_ADDRESS = new RegExp(`(?<![\\w.])${PUBLIC_NUMBER}`, "i");

/** Services whose only use is to show what was sent to them. */
export const COLLECTOR = new RegExp(
  "\\b(?:webhook\\.site|requestbin\\.\\w{2,4}|(?:[\\w-]{1,40}\\.)?m\\.pipedream\\.net|pipedream\\.net|hookbin\\.com|beeceptor\\.com|mockbin\\.\\w{2,4}|requestcatcher\\.com|postb\\.in|hookb\\.in|oast\\.(?:pro|live|site|online|fun|me)|oastify\\.com|interact\\.sh|burpcollaborator\\.net|dnslog\\.cn|ceye\\.io|canarytokens\\.(?:com|org)|bxss\\.me|ezstat\\.ru|iplogger\\.(?:org|com))\\b",
  "i",
);

/** Pastes, tunnels and chat services that are used to collect as well. */
export const DROP = new RegExp(
  `\\b(?:${PASTE_HOSTS}|${TUNNELS})\\b|\\bdiscord(?:app)?\\.com\\/api\\/webhooks\\/|\\bapi\\.telegram\\.org\\/bot`,
  "i",
);

/** Something is sent, and not only fetched. */
export const SENDS =
  /(?:^|\s)(?:-d|--data(?:-\w{1,20})?|--json|-F|--form(?:-\w{1,20})?|-T|--upload-file|--post-(?:data|file))(?=[\s=@'"])|-X\s{0,3}["']?(?:POST|PUT|post|put)|\b(?:requests|httpx|axios|session|client|http|aiohttp|got|ky|superagent|\$)\.(?:post|put|patch)\s{0,3}\(|\bmethod\s{0,3}[:=]\s{0,3}["'](?:post|put|POST|PUT|PATCH)|\burlopen\s{0,3}\([^)]{0,200}\bdata\s{0,3}=|\bRequest\s{0,3}\([^)]{0,200}\bdata\s{0,3}=|\b(?:nc|ncat|netcat|socat|sendmail|mailx?|mutt)\s|\bscp\s|\brsync\s[^|]{0,200}@|\bsend(?:Document|Message|Beacon|all|to)?\s{0,3}\(|\bsendDocument\b|-Method\s{1,3}POST|\bUpload(?:String|File|Data)\b|\bsmtplib\b|\bput_object\b|\bs3\s{1,3}cp\b|\bnew\s{1,3}WebSocket\b/;

/** Files with keys, tokens and passwords of other programs. */
export const CREDENTIAL_FILE =
  /\.ssh['"\s,/\\)]{1,6}(?:id_[a-z0-9]{2,12}|\*|config\b|[\w-]{1,40}_(?:rsa|ed25519|ecdsa)\b)(?!\.pub|[\w-]{0,20}\.pub)|(?:~|\$\{?HOME\}?|%userprofile%|expanduser\(['"]~|homedir\(\)|\bhome\(\)|\benv\.HOME\}?|\bENV\[["']HOME)[^\s]{0,20}[/\\'"]{1,4}\.(?:ssh|gnupg|aws|azure|kube|config\/gcloud)\b(?:(?![\w/.-])|\/(?=\$\{|["'`*]|$))|\.aws['"\s,/\\)]{1,6}credentials\b|\.(?:netrc|pgpass|git-credentials|pypirc)\b|\.docker['"\s,/\\)]{1,6}config\.json|\.kube['"\s,/\\)]{1,6}config\b|\.config['"\s,/\\)]{1,6}(?:gcloud|gh['"\s,/\\)]{1,6}hosts)|application_default_credentials|\.azure['"\s,/\\)]{1,6}(?:accessTokens|msal_token)|\.gnupg['"\s,/\\)]{1,6}(?:private-keys|secring)|\.cargo['"\s,/\\)]{1,6}credentials|\.npmrc\b|\.vault-token\b|\.skills-mcp['"\s,/\\)]{1,6}credentials\b|\.terraform\.d['"\s,/\\)]{1,6}credentials|\.(?:claude|codex)['"\s,/\\)]{1,6}(?:\.credentials|auth)\.json|\/(?:var\/)?run\/secrets\/kubernetes\.io\b|\/etc\/(?:shadow|gshadow)\b|\/etc\/sudoers\b/i;

/** What browsers and wallets keep: nothing of a user's work is there. */
export const PERSONAL_STORE =
  /[\\/"'](?:Web Data|Local State)\b|\b(?:Login Data|cookies\.sqlite|logins\.json|key4\.db|signons\.sqlite)\b|\b(?:Chrome|Chromium|Brave-Browser|Microsoft Edge|Edge|Opera|Vivaldi|google-chrome)["']?[/\\,][^\n]{0,60}(?:Cookies|User Data|Local Storage|Default\b|Login Data)|Firefox['"\s,/\\)]{1,6}Profiles|\.mozilla['"\s,/\\)]{1,6}firefox|\bChrome Safe Storage\b|\bsecurity\s{1,5}(?:dump-keychain|find-(?:generic|internet)-password|export\b)|login\.keychain|\bwallet\.dat\b|\.(?:electrum|exodus|bitcoin|ethereum|monero)\b['"\s,/\\)]{1,6}|\.config['"\s,/\\)]{1,6}solana|\bExodus['"\s,/\\)]{1,6}exodus\.wallet|\bnkbihfbeogaeaoehlefnkodbefgpgknn\b|\bmetamask\b[^\n]{0,60}\b(?:vault|seed|extension|local)|\bseed phrases?\b|\b(?:1password|bitwarden|lastpass|keepass)\b[^\n]{0,40}\b(?:vault|database|\.kdbx)|\bmimikatz\b|\blsass\b|\bsecretsdump\b/i;

export const METADATA_SERVICE =
  /\b169\.254\.169\.254\b|\b169\.254\.170\.2\b|\bmetadata\.google\.internal\b|\b100\.100\.100\.200\b|fd00:ec2::254|\b0xa9fea9fe\b|\b2852039166\b/i;

/** Every variable of the environment at once, as a command: only its beginning, and only in lower case. */
export const ENVIRONMENT_IN_SHELL =
  /(?:^|[;&|]|\$\(|`(?=\w{3,8}\s{0,5}[|>]))\s{0,5}(?:printenv|env|export -p)\s{0,5}(?:\||>|\)|;|$)|\bgci\s{1,3}env:|\bget-childitem\s{1,3}env:|\/proc\/(?:self|\d{1,7}|\$\w{1,9})\/environ/;

/** Every variable of the environment at once in Python and JavaScript. One that is handed to a child process is none. */
export const ENVIRONMENT_IN_CODE =
  /\b(?:dict|str|repr|dumps|list)\s{0,3}\(\s{0,3}(?:dict\s{0,3}\(\s{0,3})?os\.environ\b(?!\s{0,3}[[.]\s{0,3}(?:get|"|'))|\b(?:json|data)\s{0,3}=\s{0,3}(?:dict\()?os\.environ\b(?!\s{0,3}[[.])|JSON\.stringify\s{0,3}\([^)\n]{0,80}process\.env\s{0,3}[,)}]|\bbody\s{0,3}:\s{0,3}process\.env\b(?!\.)|\/proc\/(?:self|\d{1,7})\/environ/;

/** Installers that their makers document, and hosts where anybody can see who owns what. */
export const KNOWN_INSTALLER =
  /(?:https?:\/\/|\b(?:irm|iwr|curl|wget)\s[^\n]{0,40}?)(?:[\w-]{1,40}\.){0,3}(?:chocolatey\.org|scoop\.sh|aspire\.dev|antigravity\.google|astral\.sh|bun\.sh|bun\.com|deno\.land|rustup\.rs|claude\.ai|cursor\.com|docker\.com|k3s\.io|helm\.sh|fluxcd\.io|brew\.sh|sdkman\.io|nodesource\.com|pnpm\.io|volta\.sh|install\.python-poetry\.org|python-poetry\.org|mise\.run|starship\.rs|tailscale\.com|ollama\.com|ollama\.ai|fly\.io|supabase\.com|vercel\.app|vercel\.com|netlify\.com|railway\.app|railway\.com|render\.com|heroku\.com|cloudflare\.com|google\.com|googleapis\.com|microsoft\.com|aka\.ms|amazonaws\.com|aws\.amazon\.com|githubusercontent\.com|github\.com|gitlab\.com|github\.io|cloudsmith\.io|foundry\.paradigm\.xyz|solana\.com|anza\.xyz|risczero\.com|starkup\.sh|cli\.github\.com|getcomposer\.org|get\.sdkman\.io|zed\.dev|code-server\.dev|pkgx\.sh|nixos\.org|determinate\.systems|ghcup\.haskell\.org|jetpack\.io|jetify\.com|dotnet\.microsoft\.com|dot\.net|turso\.tech|tur\.so|pulumi\.com|semgrep\.dev|anchore\.io|aquasecurity\.github\.io|opencode\.ai|goose-docs\.ai|elan|get-ghcup|modal\.com|temporal\.download|dapr\.io|linkerd\.io|istio\.io|sentry\.io|sentry\.dev|openai\.com|anthropic\.com|huggingface\.co|hf\.co|expo\.dev|convex\.dev|encore\.dev|inngest\.com|wasmtime\.dev|wasmer\.io|apollo\.dev|localstack\.cloud|composio\.dev|example\.com|example\.org)(?:[/:\s"'`)]|$)/i;

/** One pattern of several, for a rule that needs any of them. */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  const flags = patterns.some((pattern) => pattern.flags.includes("i")) ? "i" : "";
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"), `${flags}m`);
}

/** A text that talks of attacks, warns of them or looks for them. */
export const TALK =
  /\b(?:attack(?:er)?s?|malicious|exploit\w{0,6}|vulnerab\w{0,10}|injection|payloads?|phishing|threats?|pen-?test\w{0,4}|red[- ]team\w{0,4}|red flags?|suspicious|detect(?:s|ed|ion|ing)?|forbidden|dangerous|unsafe|insecure|anti-?patterns?|avoid|never|don'?t|do not|must not|should not|block(?:s|ed|ing)?|reject(?:s|ed)?|refuse|prevent(?:s|ed|ing)?|sanitiz\w{0,4}|examples? of|such as|e\.g\.|instead of|scan(?:s|ning|ner)? for|watch for|look for|check for|flag(?:s|ged)?|bad|wrong|ssrf|xss|rce|cve-\d{4})\b|❌|🚫|⚠/i;
