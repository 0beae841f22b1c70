import { line, near, type TextRule, wordsOf } from "../rule.ts";
import { DUBIOUS_ADDRESS, INTO_INTERPRETER, TALK } from "./patterns.ts";
import { OPENED, STARTED_BY_SYSTEM } from "./wordings.ts";

export const DAMAGE: readonly TextRule[] = [
  {
    id: "reverse-shell",
    category: "damage",
    severity: "critical",
    title: "opens a shell to another machine",
    why: "A reverse shell gives somebody else full control of this machine.",
    fix: "Do not use the skill.",
    words: wordsOf(
      "/dev/tcp|/dev/udp|nc |ncat|netcat|socat|socket|mkfifo|tcpclient|pty.spawn|bash -i|net.connect|" +
        "createconnection|fsockopen|tcpsocket|php -r|perl -e|ruby -r",
    ),
    cases: [
      line(
        /\b(?:ba|z|da|k)?sh\s{1,5}-i\b[^\n]{0,80}\/dev\/(?:tcp|udp)\/|\/dev\/(?:tcp|udp)\/[^\s]{1,80}\s{0,3}(?:0>&1|<&1|>&)|exec\s{1,5}\d{1,3}<>\s{0,3}\/dev\/tcp/i,
      ),
      line(
        /\b(?:nc|ncat|netcat)\b[^\n|]{0,120}\s-\w{0,4}[ec]\s{0,5}["']?(?:\/bin\/|cmd|powershell|(?:ba|z)?sh\b)/i,
      ),
      line(/\bmkfifo\b/i, /\b(?:nc|ncat|netcat|openssl s_client)\b/i, /\bsh\b/i),
      line(/\bsocat\b/i, /\bexec:/i, /\btcp/i),
      near(
        { within: 8 },
        /\bdup2\s{0,3}\(|\bpty\.spawn\b|["']\/bin\/(?:ba|z|da)?sh["']|\bcmd\.exe\b|\.pipe\s{0,3}\(\s{0,3}\w{1,20}\.stdin/,
        /\bsocket\.socket\s{0,3}\(|\bnet\.(?:connect|Socket|createConnection)\b|\bTCPClient\b|\bTCPSocket\b|\bfsockopen\b/,
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
    why: "What is started by the system or the shell goes on after the skill was removed.",
    fix: "Remove it, or let the user install the service knowingly.",
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
    why: "The command destroys the files of the user or the whole system.",
    fix: "Remove the command, or limit it to files that the skill made.",
    words: wordsOf(
      "rm |mkfs|dd |:(){|remove-item|rmtree|format c|del /|shred|wipefs|no-preserve-root|rimraf|" +
        "/dev/sd|find ",
    ),
    cases: [
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
    id: "weakened-defences",
    category: "damage",
    severity: "medium",
    title: "turns off a protection or hides traces",
    why: "Protections that are off and traces that are gone help nobody but an attacker.",
    fix: "Remove the command; install signed software instead.",
    words: wordsOf(
      "quarantine|setenforce|spctl|csrutil|mppreference|ufw disable|histfile|history -c|" +
        "executionpolicy|firewall|iptables -f|node_tls_reject_unauthorized|auditd|gatekeeper|/var/log|" +
        ".bash_history|amsi|chattr|chmod 777",
    ),
    cases: [
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
    why: "A miner uses the machine for somebody else.",
    fix: "Do not use the skill.",
    words: wordsOf("xmrig|stratum+|minerd|cryptonight|nicehash|coinhive|cpuminer|randomx"),
    cases: [line(/\bxmrig\b|\bstratum\+(?:tcp|ssl)\b|\bminerd\b|\bcpuminer\b|\bcoinhive\b|\bcryptonight\b/i)],
    talk: TALK,
    taught: true,
  },
];
