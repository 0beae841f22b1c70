import { line, near, sentence, type TextRule, wordsOf } from "../rule.ts";
import {
  CREDENTIAL_FILE,
  ENVIRONMENT_IN_CODE,
  ENVIRONMENT_IN_SHELL,
  METADATA_SERVICE,
  PERSONAL_STORE,
  TALK,
} from "./patterns.ts";
import { KEPT_PASSWORDS, KEYS_BY_NAME } from "./wordings.ts";

const READS =
  /(?:^|[\s`"'(=;&|$])(?:cat|bat|less|more|head|tail|cp|copy|copy-item|xcopy|robocopy|tar|zip|7z|scp|rsync|base64|xxd|strings|grep|rg|awk|sed|find|type|get-content|gc|curl|wget|nc|openssl|sqlite3|cut|sort|tee|dd|while|for|source)\s|\bread(?:_text|_bytes|File|FileSync|lines?|all|_csv|Text)?\s{0,3}\(|\bopen\s{0,3}\(|\bread\b|\bcopy\w{0,4}\s{0,3}\(|\bcopy\b|\bload\w{0,4}\b|\bcollect\b|\bextract\b|\bdump\b|\bupload\b|\bsend\b|\binclude\b|\bglob\b|\bconnect\s{0,3}\(|\barchive\b|\bsteal\b|\bharvest\b|\bexport\b|\bprint\b|\bsearch\b|@["']?(?:\$|~|\/)/i;
/** Making, registering or protecting a key; nothing of it is read out. */
const TENDS =
  /\bssh-(?:keygen|add|copy-id|keyscan)\b|\bchmod\b|\bchown\b|\bmkdir\b|\bssh\s{1,5}-i\b|\bscp\s{1,5}-i\b|-i\s{1,5}["']?[~$\w/.{}]{0,40}\.ssh|\bIdentityFile\b|\.pub\b|\bansible\b|private_key_path|\bGIT_SSH_COMMAND\b|\btouch\b/i;

/** What nothing but its own program has a use for. */
const PRIVATE_KEY =
  /\.ssh['"\s,/\\)]{1,6}id_[a-z0-9]{2,12}\b(?!\.pub)|\/etc\/g?shadow\b|\.git-credentials\b|\.gnupg['"\s,/\\)]{1,6}(?:private-keys|secring)|\.(?:claude|codex)['"\s,/\\)]{1,6}(?:\.credentials|auth)\.json/i;

export const CREDENTIALS: readonly TextRule[] = [
  {
    id: "credential-files",
    category: "credentials",
    severity: "high",
    title: "reads files with keys, tokens or passwords",
    why: "The file holds keys, tokens or passwords, which open other systems in the name of the user.",
    fix: "Look at what is done with the content; let the program that owns the file use it.",
    words: wordsOf(
      ".ssh|.gnupg|.aws|.azure|.kube|gcloud|.netrc|.pgpass|.git-credentials|.pypirc|.docker|" +
        "hosts.yml|hosts|.npmrc|.vault-token|credentials|/etc/shadow|/etc/gshadow|/etc/sudoers|" +
        "auth.json|id_rsa|id_ed25519|.pem|kubernetes.io|_history|credential fill|auth token|" +
        "print-access-token|get-access-token|configure get|export-secret|all api|every api|any api|" +
        "all secrets|all tokens|all passwords",
    ),
    cases: [
      line(
        /\bfind\s[^\n]{0,200}-i?name\s{1,5}["']?(?:id_(?:rsa|dsa|ecdsa|ed25519)|\*?\.(?:pem|key|p12|pfx|kdbx|ppk))/i,
        /-exec\s|\bxargs\b|\bcat\b|\bcp\b|\btar\b|>\s|\bcurl\b/i,
      ),
      line(
        { none: [/\bHISTFILE\b|\bhistory\s{1,5}-/], severity: "medium" },
        /\.(?:bash|zsh|python|psql|mysql)_history\b|\bfish_history\b|ConsoleHost_history/i,
        READS,
      ),
      line(
        /\bgit\s{1,5}credential(?:-\w{1,20})?\s{1,5}(?:fill|get)\b|\baws\s{1,5}configure\s{1,5}get\s{1,5}\w{0,20}secret/i,
      ),
      line(
        { severity: "medium" },
        /\bgh\s{1,5}auth\s{1,5}token\b|\bgcloud\s{1,5}auth\s{1,5}(?:application-default\s{1,5})?print-access-token\b|\baz\s{1,5}account\s{1,5}get-access-token\b|\bvault\s{1,5}token\s{1,5}lookup\b/i,
        /token\b[^\n]{0,60}(?:>\s{0,3}[\w./~$"']|\|\s{0,5}(?:tee|curl|nc|base64|pbcopy|xclip))/i,
      ),
      line({ none: [TENDS], in: "code", severity: "medium" }, CREDENTIAL_FILE, READS),
      line({ none: [TENDS], in: "code" }, PRIVATE_KEY, READS),
      line(
        {
          none: [TENDS, /\b(?:kubectl|KUBECONFIG|helm)\b/i, /\.(?:npmrc|kube)\b/],
          in: "prose",
          severity: "medium",
        },
        CREDENTIAL_FILE,
        /(?:^|[\s`"'(=;&|$])(?:cat|bat|less|head|tail|tar|zip|base64|xxd|strings|grep|curl|wget|nc|cp|scp|rsync)\s/i,
      ),
      line(
        { none: [TENDS], in: "prose" },
        /\.ssh['"\s,/\\)]{1,6}(?:id_[a-z0-9]{2,12}|\*)|(?:~|\$\{?HOME\}?)\/\.(?:ssh|gnupg|aws)\/?(?:\s|$|["'`])|\/etc\/shadow|\.aws\/credentials|\.git-credentials|\.netrc|\/hosts\.yml/i,
        /(?:^|[\s`"'(=;&|$])(?:cat|bat|less|head|tail|tar|zip|base64|xxd|strings|curl|wget|nc|scp)\s/i,
      ),
      sentence(
        {
          none: [
            TENDS,
            /\b(?:never|do not|don'?t|must not|should not|avoid|without)\b/i,
            /\b(?:kubectl|kubeconfig|npm (?:login|publish)|profiles?|region|configured?|sdk|cli|sso|loads? credentials|credential (?:chain|provider))\b/i,
          ],
          in: "prose",
          severity: "medium",
        },
        CREDENTIAL_FILE,
        /\b(?:read|open|copy|collect|include|send|upload|print|paste|extract|attach|post|forward|gather|remember|summari[sz]e)\b/i,
        /\b(?:contents?|keys?|all|everything|into|to|and|it|them|any|every)\b/i,
      ),
      ...KEYS_BY_NAME,
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "personal-stores",
    category: "credentials",
    severity: "high",
    title: "reads browser profiles, keychains or wallets",
    why: "Cookies, saved passwords and wallets stand for whole accounts of the user.",
    fix: "Look at what is read and where it goes; remove the access if the skill works without it.",
    words: wordsOf(
      "login data|web data|local state|cookies|logins.json|key4.db|signons|user data|firefox|" +
        "keychain|find-generic-password|find-internet-password|safe storage|wallet|.electrum|.exodus|" +
        ".bitcoin|.ethereum|.monero|solana|nkbihfbeogaeaoehlefnkodbefgpgknn|metamask|seed phrase|" +
        "1password|bitwarden|lastpass|keepass|mimikatz|lsass|secretsdump|chrome|browser profile|" +
        "browser cookies|browser history|browser's|saved passwords",
    ),
    cases: [
      line(
        {
          none: [
            /\b(?:--user-data-dir|user_data_dir|userDataDir|launchPersistentContext|playwright|puppeteer|selenium|chromedriver|localStorage\.|wallet (?:adapter|connect|address)|connect(?:ed)? wallet|cookies? (?:policy|banner|consent)|op (?:read|item|run)|bw (?:get|list))\b|-a\s{1,5}\\?["']?\\?\$?\{?(?:USER|\w{1,20}_(?:API_)?KEY)/i,
            /\b(?:never|do not|don'?t|must not|should not)\b/i,
          ],
        },
        PERSONAL_STORE,
        READS,
      ),
      near(
        { within: 12 },
        /\bshutil\.copy|\bsqlite3\.connect|\bcopyFile|\bCryptUnprotectData\b|\bwin32crypt\b|\bAES\.new\b/,
        PERSONAL_STORE,
      ),
      ...KEPT_PASSWORDS,
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "cloud-metadata",
    category: "credentials",
    severity: "medium",
    title: "asks a cloud's metadata service",
    why: "The metadata service hands out the credentials of the machine to whoever asks from it.",
    fix: "Use the SDK of the cloud, which asks for what it needs.",
    words: wordsOf("169.254.|metadata.google.internal|100.100.100.200|fd00:ec2|0xa9fea9fe|2852039166"),
    cases: [
      // A flow from here to somewhere else is reported as `data-leaves`.
      line(
        {
          none: [/\b(?:block|den(?:y|ied)|except|drop|reject|forbid|prevent|disallow|guard|ssrf)\w{0,4}\b/i],
          severity: "medium",
        },
        METADATA_SERVICE,
        /\b(?:curl|wget|fetch|requests?\.|https?:|iwr|irm|urlopen|invoke-)/i,
      ),
      line({ in: "prose", severity: "low" }, METADATA_SERVICE),
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "environment-dump",
    category: "credentials",
    severity: "medium",
    title: "prints or copies the whole environment",
    why: "The environment has the tokens of every tool; a skill needs single variables of it at most.",
    fix: "Name the variables that are needed.",
    words: ["printenv", "env", "environ", "export -p"],
    cases: [
      line(
        {
          none: [
            /\b(?:env|printenv)\s{0,5}\|\s{0,5}(?:grep|rg|sort|wc|awk|findstr|select-string|cut|head)\b/,
          ],
          shell: true,
        },
        ENVIRONMENT_IN_SHELL,
      ),
      line(
        { in: "prose", none: [/\|\s{0,5}(?:grep|rg|sort|wc|awk|cut)\b/] },
        /`(?:printenv|env|export -p)\s{0,3}(?:\||>)[^`]{1,200}`/,
      ),
      line({ none: [/\benv\s{0,3}[=:]/] }, ENVIRONMENT_IN_CODE),
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "project-secrets",
    category: "credentials",
    severity: "medium",
    title: "reads the secrets of a project",
    why: "A `.env` file has secrets; what an agent reads of it ends up in its context, its logs and its answers.",
    fix: "Let the program load the file; the agent does not need to see it.",
    words: [".env"],
    cases: [
      line(
        {
          none: [
            /\b(?:never|do not|don'?t|example|sample|template)\b|\.env[\w.]{0,10}\s{0,3}\|\s{0,3}(?:grep|wc|cut|sed|awk)\b|>>?\s{0,3}["']?[\w./-]{0,40}\.env|<</i,
          ],
        },
        /(?:^|[\s`"'(;&|$])(?:cat|bat|less|head|tail|base64|curl|nc|xxd|strings|type|get-content)\s[^\n|]{0,80}(?<![\w])\.env(?:\.\w{1,20})?(?![\w.-]{0,40}(?:example|sample|template|dist))/i,
      ),
      sentence(
        {
          none: [
            /\b(?:never|do not|don'?t|must not|should not|avoid|without|gitignore|loaded? (?:by|via|from|with)|dotenv)\b/i,
          ],
          in: "prose",
        },
        /(?<![\w])\.env\b(?![\w.-]{0,20}(?:example|sample|template))/i,
        /\b(?:read|open|load|collect|copy|include|print|show|extract|scan|search)\b/i,
        /\b(?:remember|memori[sz]e|include (?:its|the|their|all|every)|send|upload|post|paste|append (?:its|the)|output (?:its|the)|print (?:its|the|all)|every (?:api )?(?:key|secret|token|value)|all (?:api )?(?:keys|secrets|tokens|values)|contents? (?:in|to|into))\b/i,
      ),
      line(
        /\bfind\s[^\n]{0,120}-i?name\s{1,5}["']?\*?\.env/i,
        /-exec\s{1,5}(?:cat|cp|curl|tar|base64)|\bxargs\s{1,5}(?:cat|cp|tar|base64)|\bcat\b/i,
      ),
      line(
        /(?:\bopen\s{0,3}\(|\breadFile(?:Sync)?\s{0,3}\(|\bread_text\b|\bPath\s{0,3}\()[^\n]{0,60}["'](?:[\w./~-]{0,40}\/)?\.env["']/,
        /\b(?:print|console\.log|post|send|requests|fetch|upload|encode|b64)/i,
      ),
    ],
    talk: TALK,
    taught: true,
  },
];
