import { line, near, sentence, type TextRule, wordsOf } from "../rule.ts";
import { DUBIOUS_ADDRESS, INTO_INTERPRETER, TALK } from "./patterns.ts";
import { OPENED, STARTED_BY_SYSTEM } from "./wordings.ts";

export const DAMAGE: readonly TextRule[] = [
  {
    id: "reverse-shell",
    category: "damage",
    severity: "critical",
    title: "opens a shell to another machine",
    why: "The command connects a shell with another machine, which can then do anything here.",
    fix: "Do not run it before you know the address and who is behind it.",
    words: wordsOf(
      "/dev/tcp|/dev/udp|nc |ncat|netcat|socat|socket|create_connection|mkfifo|tcpclient|pty.spawn|bash -i|net.connect|" +
        "createconnection|fsockopen|tcpsocket|php -r|perl -e|ruby -r|$_get|$_post|$_request|$_cookie|$_server",
    ),
    cases: [
      line(
        /\b(?:ba|z|da|k)?sh\s{1,5}-i\b[^\n]{0,80}\/dev\/(?:tcp|udp)\/|\/dev\/(?:tcp|udp)\/[^\s]{1,80}\s{0,3}(?:0>&1|<&1|>&)|exec\s{1,5}\d{1,3}<>\s{0,3}\/dev\/(?:tcp|udp)/i,
      ),
      line(
        /\b(?:nc|ncat|netcat)\b[^\n|]{0,120}\s-\w{0,4}[ec]\s{0,5}["']?(?:\/bin\/|cmd|powershell|(?:ba|z)?sh\b)/i,
      ),
      // A page that runs what its visitor writes.
      line(
        /\b(?:system|exec|shell_exec|passthru|popen|eval|assert)\s{0,3}\(\s{0,3}\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\b/,
      ),
      line(/\bmkfifo\b/i, /\b(?:nc|ncat|netcat|openssl s_client)\b/i, /\bsh\b/i),
      line(/\bsocat\b/i, /\bexec:/i, /\btcp/i),
      near(
        { within: 8 },
        /\bdup2\s{0,3}\(|\bpty\.spawn\b|["']\/bin\/(?:ba|z|da)?sh["']|\bcmd\.exe\b|\.pipe\s{0,3}\(\s{0,3}\w{1,20}\.stdin/,
        /\bsocket\.(?:socket|create_connection)\s{0,3}\(|\bnet\.(?:connect|Socket|createConnection)\b|\bTCPClient\b|\bTCPSocket\b|\bfsockopen\b/,
      ),
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "persistence",
    category: "damage",
    severity: "medium",
    title: "installs something that starts by itself",
    why: "What the system or the shell starts goes on after the skill was removed.",
    fix: "Look at what is started; let the user install a service knowingly.",
    words: wordsOf(
      "crontab|authorized_keys|launchagents|launchdaemons|systemctl|/etc/systemd|.config/systemd|" +
        "autostart|.bashrc|.zshrc|.profile|.bash_profile|.zprofile|.zshenv|schtasks|" +
        "currentversion\\run|/etc/cron|rc.local|startup|sudoers|nopasswd|at now",
    ),
    cases: [
      line(
        { severity: "high" },
        /\bauthorized_keys\b/,
        /(?:>>?|\btee\b|\bwrite\w{0,10}\s{0,3}\(|\bappend\w{0,10}\s{0,3}\(|["']a["'])/,
      ),
      near(
        { within: 5, in: "code", severity: "high" },
        /\bwrite\w{0,10}\s{0,3}\(|["']a["']|\bssh-(?:rsa|ed25519) AAAA/,
        /\bauthorized_keys\b/,
      ),
      line(
        { in: "code" },
        /\bcrontab\s{1,5}-(?:\s|$|["'`)])|\|\s{0,5}crontab\b|(?:>>?|\btee\b)[^\n]{0,20}\/etc\/cron|\/var\/spool\/cron/i,
      ),
      line({ in: "prose" }, /\|\s{0,5}crontab\b|(?:>>?|\btee\b)[^\n]{0,20}\/etc\/cron|\/var\/spool\/cron/i),
      line(
        { severity: "medium" },
        /(?:>>?|\btee\s(?:-a\s)?|\bcp\s[^\n]{0,100}|\bwrite\w{0,10}\s{0,3}\([^\n]{0,80})["']?[~$\w/{}.-]{0,40}(?:LaunchAgents|LaunchDaemons|\/etc\/systemd\/system|\.config\/systemd\/user|\.config\/autostart|Start Menu\\Programs\\Startup)/i,
      ),
      near(
        { within: 10, in: "code" },
        /\bwrite\w{0,10}\s{0,3}\(|\blaunchctl\s{1,5}(?:load|bootstrap)|\bsystemctl\b[^\n]{0,40}\benable\b/,
        /LaunchAgents|LaunchDaemons|\.config\/(?:systemd\/user|autostart)|\/etc\/systemd\/system/,
      ),
      line(
        {
          none: [
            /\beval\s{1,5}\\?["']?\\?\$\(\\?["']?[\w./~${}-]{0,60}(?:direnv|brew|pyenv|rbenv|nodenv|starship|zoxide|mise|fnm|conda|atuin|thefuck|hook|init|shellenv|completion|env)\b|\bcompletion\b|\bexport\s{1,5}PATH\b|\bsource\b/i,
          ],
        },
        /(?:>>|\btee\s{1,5}-a\b|\bappendFile\w{0,4}\b|\badd-content\b|["']a["'])/i,
        /\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv)\b|\$PROFILE\b/,
        /\b(?:curl|wget|eval|base64|nc|python[\d.]{0,4}|node|nohup|sh|bash|alias\s{1,5}(?:sudo|ssh|git|ls|cd|npm|claude)|trap|PROMPT_COMMAND|LD_PRELOAD)\b/,
      ),
      near(
        { within: 4, in: "code" },
        /\bopen\s{0,3}\([^)]{0,100}["']a["']|\bappendFile\w{0,4}\s{0,3}\(|\bwrite\s{0,3}\(/,
        /\.(?:bashrc|zshrc|bash_profile|zprofile|zshenv)\b/,
      ),
      line(
        /\bschtasks\b[^\n]{0,60}\/create|\breg\s{1,5}add\b[^\n]{0,120}currentversion\\{1,2}run|New-ScheduledTask|Register-ScheduledTask/i,
      ),
      line({ severity: "high" }, /\bNOPASSWD\b/, /(?:>>?|\btee\b|\becho\b|sudoers)/),
      ...STARTED_BY_SYSTEM,
    ],
    grades: [
      { when: DUBIOUS_ADDRESS, severity: "critical" },
      { when: INTO_INTERPRETER, severity: "high" },
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "destructive-command",
    category: "damage",
    severity: "high",
    title: "deletes or overwrites what is not its own",
    why: "The command deletes or overwrites files of the user or the system, not of the skill.",
    fix: "Look at the path; limit the command to files that the skill made.",
    words: wordsOf(
      "rm |mkfs|dd |:(){|remove-item|rmtree|format c|del /|shred|wipefs|no-preserve-root|rimraf|" +
        "/dev/sd|find |cloudtrail|aws backup|vssadmin|s3 rm|s3 rb|destroy|drop |homedir|encrypt|cipheriv|aes.new|delete the user|factory",
    ),
    cases: [
      line(
        { severity: "medium" },
        /\baws\s{1,3}cloudtrail\s{1,3}(?:delete-trail|stop-logging)\b|\baws\s{1,3}backup\s{1,3}delete-|\bvssadmin\s{1,3}delete\s{1,3}shadows/i,
      ),
      line(
        { severity: "low" },
        /\baws\s{1,3}s3\s{1,3}(?:rm\s[^\n]{0,200}--recursive|rb\s[^\n]{0,200}--force)|\bterraform\s{1,3}destroy\b[^\n]{0,60}-auto-approve|\bDROP\s{1,3}(?:SCHEMA|DATABASE)\b[^\n]{0,60}(?:CASCADE|;)/,
      ),
      // Every entry of the home folder, one by one.
      line(/\breaddir\w{0,6}\s{0,3}\(\s{0,3}(?:os\.)?homedir\(\)/, /\brm(?:Sync)?\s{0,3}\(|\bunlink/),
      near(
        { within: 6, in: "code" },
        /\bos\.(?:remove|unlink)\s{0,3}\(|\bunlink(?:Sync)?\s{0,3}\(/,
        /\bFernet\s{0,3}\([^)]{0,60}\)\.encrypt|\bcreateCipheriv\s{0,3}\(|\bAES\.new\s{0,3}\(/,
      ),
      sentence(
        { in: "prose", none: [/\b(?:never|do not|don'?t|must not)\b/i] },
        /\bdelete\b[^.]{0,20}\b(?:the user'?s files|everything|all files)\b[^.]{0,60}\b(?:home|disk|machine|account)\b|\bnear-factory state\b/i,
      ),
      line(
        /\brm\s{1,5}(?:-{1,2}[\w-]{1,20}\s{1,5}){1,4}(?:--\s{1,3})?["']?(?:\/(?:\*)?|~\/?(?:\*)?|\$\{?HOME\}?\/?(?:\*)?|\/(?:home|Users|etc|usr|var|bin|boot|lib)\/?(?:\*)?)["'`]?(?:\s|$|[;&|)])/,
      ),
      line(
        /--no-preserve-root|\bmkfs(?:\.\w{2,6})?\s{1,5}(?:-\w{1,3}\s{1,5}){0,3}\/dev\/|\bdd\b[^\n]{0,120}\bof=\/dev\/(?:sd|nvme|disk|hd|vd)|:\(\)\s{0,3}\{\s{0,3}:\s{0,3}\|\s{0,3}:|\bwipefs\b|>\s{0,3}\/dev\/sd[a-z]\b/,
      ),
      line(
        /\b(?:shutil\.)?rmtree\s{0,3}\(\s{0,3}(?:os\.path\.expanduser\(\s{0,3}["']~\/?["']|Path\.home\(\)\s{0,3}[,)]|["']\/["']|["'](?:\/home|\/Users|\/etc)["'])|\b(?:rmSync|rm|rimraf)\s{0,3}\(\s{0,3}(?:os\.homedir\(\)|homedir\(\)|process\.env\.HOME|["'](?:\/|~)["'])\s{0,3}[,)]/,
      ),
      line(
        /\b(?:remove-item|rd|rmdir|del)\b/i,
        /(?:\$env:USERPROFILE|\$HOME|%USERPROFILE%|C:\\?(?:Users)?\\?\*?)["'\s]/i,
        /-recurse|\/s\b/i,
      ),
      line(
        /\bfind\s{1,5}(?:\/|~|\$HOME)\s[^\n]{0,120}-delete\b|\bfind\s{1,5}(?:\/|~|\$HOME)\s[^\n]{0,120}-exec\s{1,5}(?:rm|shred)\b/,
      ),
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "date-trigger",
    category: "damage",
    severity: "high",
    title: "does something else from a date on",
    why: "The script behaves in one way until a date, and then runs, sends, deletes or replaces something: whoever tries it before sees nothing.",
    fix: "Read what happens after the date, and remove the condition.",
    words: wordsOf("date|strftime|time()|now()|today()"),
    cases: [
      near(
        {
          within: 4,
          in: "code",
          none: [
            /\b(?:expire\w{0,3}|deprecat\w{0,4}|eol|copyright|cutoff|since|start_?date|end_?date|valid)\b/i,
          ],
        },
        /\b(?:rmtree|rmSync|unlink|os\.remove|os\.system|subprocess\.\w|exec(?:Sync|File)?\s{0,3}\(|spawn\s{0,3}\(|eval\s{0,3}\(|requests\.\w|urlopen|fetch\s{0,3}\(|re\.sub|replace\s{0,3}\(|curl|wget|rm\s{1,3}-)/,
        /(?:\bif\b|\[\[?\s|&&|\?)[^\n]{0,120}(?:(?:now|today)\s{0,3}\(\)?|Date\.now\(\)|new Date\(\)|date\s{1,3}\+%|time\.time\(\))[^\n]{0,60}(?:>=?|<=?|-g[te]|-l[te])[^\n]{0,60}(?:20[2-9]\d\s{0,3}[,-]|20[2-9]\d\d{4}|["']20[2-9]\d-|1[89]\d{8})/,
      ),
    ],
    taught: true,
  },
  {
    id: "clipboard-swap",
    category: "damage",
    severity: "high",
    title: "replaces what the user copied",
    why: "The script compares the clipboard with the form of an address or account, and puts another one in its place. A payment then goes elsewhere.",
    fix: "Look at what it puts there, and do not run it before you know why.",
    words: wordsOf("clipboard|pyperclip|pbcopy"),
    cases: [
      near(
        { within: 8, in: "code" },
        /\bbc1|\[13\]|0x\[a-f|T\[A-Za-z|\bIBAN\b|wallet|\bETH\b|\bBTC\b/i,
        /\bpyperclip\.copy\s{0,3}\(|\bclipboard\.(?:write\w{0,6}|copy)\s{0,3}\(|\bSet-Clipboard\b|\|\s{0,3}pbcopy\b|\bxclip\b[^\n]{0,30}-i/i,
      ),
    ],
    taught: true,
  },
  {
    id: "password-prompt",
    category: "credentials",
    severity: "high",
    title: "asks for a password in the name of the system",
    why: "A dialog or prompt that looks like the system's asks for a password. The system asks by itself when it needs one.",
    fix: "Look at where the password goes; do not type one there.",
    words: wordsOf("hidden answer|[sudo]|password for|stty -echo|get-credential|promptforcredential"),
    cases: [
      line(/\bdisplay dialog\b/, /\bhidden answer\b/),
      line({ in: "code" }, /\[sudo\] password/, /\b(?:printf|echo|read|print|input)\b/),
      line({ severity: "medium" }, /\bPromptForCredential\b/i),
    ],
    taught: true,
  },
  {
    id: "weakened-defences",
    category: "damage",
    severity: "medium",
    title: "turns off a protection or hides traces",
    why: "The command turns off a protection, opens a way in, or removes traces.",
    fix: "Look at what it is needed for, and whether it is turned on again.",
    words: wordsOf(
      "quarantine|setenforce|spctl|csrutil|mppreference|ufw disable|histfile|history -c|" +
        "executionpolicy|firewall|iptables -f|node_tls_reject_unauthorized|auditd|gatekeeper|/var/log|" +
        ".bash_history|amsi|chattr|chmod 777|ssh |privileged|ngrok|http.server|ld.so.preload|ld_preload|--no-verify|/etc/hosts|.ssh/config|add-trusted|ca-certificates|certutil|history|transcript|traces|logs",
    ),
    cases: [
      // A way in from outside, and a way out of a container.
      line(/\bssh\b[^\n]{0,80}\s-\w{0,3}R\s{0,3}\S{0,40}\d{2,5}:\S/),
      line(
        { severity: "high" },
        /\bdocker\b[^\n]{0,200}--privileged/,
        /\s-v\s{0,3}\/:\/|--pid[ =]host|\bchroot\b|\bnsenter\b/,
      ),
      near(
        { within: 2 },
        /\b(?:ngrok|cloudflared|bore|localtunnel|lt)\b/,
        /\bcd\s{1,3}(?:~|\$HOME|\/)\s{0,3}&&[^\n]{0,40}http\.server|\bhttp\.server\b[^\n]{0,60}(?:-d|--directory)\s{1,3}(?:~|\$HOME|\/)/,
      ),
      // Names, keys of hosts and certificates that later connections trust.
      line(
        { severity: "high" },
        /\/etc\/hosts\b/,
        />>?|\btee\b/,
        /\b(?:registry\.npmjs\.org|pypi\.org|github\.com|githubusercontent\.com|anthropic\.com|openai\.com|crates\.io)\b/,
      ),
      line(/\.ssh\/config\b/, />>?|\btee\b/, /\b(?:StrictHostKeyChecking\s{1,3}no|ProxyCommand)\b/),
      line(
        { severity: "high" },
        /\b(?:curl|wget)\b/,
        /\badd-trusted-cert\b|\bupdate-ca-certificates\b|\bcertutil\b[^\n]{0,40}-addstore/i,
      ),
      sentence(
        { severity: "high", in: "prose", none: [/\b(?:never|do not|don'?t)\b/i] },
        /\b(?:delete|remove|clear|wipe|erase)\b[^.]{0,40}\b(?:shell history|transcript|logs?|traces?)\b/i,
        /\b(?:looks? clean|after each (?:command|step)|nobody|no trace|unnoticed)\b/i,
      ),
      line({ severity: "high" }, /\/etc\/ld\.so\.preload|\bLD_PRELOAD=/, />>?|\btee\b/),
      line(
        { severity: "high" },
        /\bhistory\s{1,5}-c\b|\brm\s[^\n]{0,40}\.(?:bash|zsh)_history/,
        /\b(?:setenforce|auditd|ufw|firewall|csrutil|spctl)\b/,
      ),
      line(
        /\bxattr\s{1,5}(?:-\w{1,4}\s{1,5}){1,3}["']?com\.apple\.quarantine|\bxattr\s{1,5}-\w{0,3}c\w{0,2}\s/,
      ),
      line(
        /\bsetenforce\s{1,5}0|\bspctl\s{1,5}--(?:master|global)-disable|\bcsrutil\s{1,5}disable|\b(?:Set|Add)-MpPreference\b[^\n]{0,60}-(?:Disable|Exclusion)|\bufw\s{1,5}disable|\biptables\s{1,5}-F\b|\bsystemctl\s{1,5}(?:stop|disable)\s{1,5}(?:auditd|apparmor|firewalld|falcon|clamav)|\bnetsh\s{1,5}advfirewall[^\n]{0,40}\boff\b|\bAmsiUtils\b|amsiInitFailed/i,
      ),
      line(
        /\bunset\s{1,5}HISTFILE|\bHISTFILE=\/dev\/null|\bhistory\s{1,5}-c\b|\bHISTSIZE=0|>\s{0,3}~?[/\w]{0,40}\.bash_history|\brm\s[^\n]{0,40}\.(?:bash|zsh)_history|\brm\s{1,5}-\w{1,4}\s{1,5}\/var\/log\b|\bwevtutil\s{1,5}cl\b/,
      ),
      ...OPENED,
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "crypto-miner",
    category: "damage",
    severity: "high",
    title: "mines cryptocurrency",
    why: "The command starts a program that mines cryptocurrency, which uses the machine for somebody else.",
    fix: "Look at whose account it mines for; do not run it otherwise.",
    words: wordsOf("xmrig|stratum+|minerd|cryptonight|nicehash|coinhive|cpuminer|randomx"),
    cases: [
      line(
        { severity: "low" },
        /\bxmrig\b|\bstratum\+(?:tcp|ssl)\b|\bminerd\b|\bcpuminer\b|\bcoinhive\b|\bcryptonight\b/i,
      ),
      line(/\b(?:xmrig|minerd|cpuminer)\b[^\n]{0,200}(?:\s-o\s|\s-u\s|--url|stratum\+)/i),
    ],
    talk: TALK,
    taught: true,
  },
];
