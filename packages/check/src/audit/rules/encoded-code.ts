import { line, sentence, type TextRule, wordsOf } from "../rule.ts";
import { INTO_INTERPRETER, TALK } from "./patterns.ts";

const DECODES =
  /\b(?:b64decode|b32decode|b85decode|a85decode|urlsafe_b64decode|decodebytes|fromhex|unhexlify|codecs\.decode|zlib\.decompress|gzip\.decompress|lzma\.decompress|bz2\.decompress|marshal\.loads|pickle\.loads|base64_decode|gzinflate|str_rot13|decode64|unpack\s{0,3}\(\s{0,3}["'](?:u|m|H)|frombase64string|fromBase64)\b|\batob\s{0,3}\(|Buffer\.from\s{0,3}\([^)]{0,400}["'](?:base64|hex)["']|String\.fromCharCode\s{0,3}\(|\bunescape\s{0,3}\(|\bdecodeURIComponent\s{0,3}\(|\[::-1\]|\.reverse\s{0,3}\(\s{0,3}\)\s{0,3}\.join|\bchr\s{0,3}\(\s{0,3}\w{1,20}\s{0,3}\^|\bmap\s{0,3}\(\s{0,3}chr\b/;
const EVALUATES =
  /(?<![.\w$])(?:exec|eval|execSync|compile|__import__\s{0,3}\([^)]{0,40}\)\.\w{1,20})\s{0,3}\(|\bnew\s{1,3}Function\s{0,3}\(|\bFunction\s{0,3}\(|\bvm\.(?:runIn\w{1,20}|Script)\s{0,3}\(|\bos\.(?:system|popen)\s{0,3}\(|\bsubprocess\.\w{1,20}\s{0,3}\(|\bchild_process\b|\binvoke-expression\b|\biex\b|\bgetattr\s{0,3}\(\s{0,3}(?:builtins|__builtins__|os)\b|\[\s{0,3}["']constructor["']\s{0,3}\]\s{0,3}\(|\bsetTimeout\s{0,3}\(\s{0,3}atob/i;

const DATA_NAME = "\\.(?:png|jpe?g|gif|bmp|ico|webp|pdf|mp[34]|wav|ttf|woff2?|zip|dat|bin|docx|xlsx|lzma)";
const RUNS_DATA = new RegExp(
  `(?:^|[\\s\`"';&|(])(?:(?:ba|z|da|k)?sh|source|perl|ruby|python[\\d.]{0,4}|node)\\s{1,3}["']?[\\w./~\${}-]{1,100}${DATA_NAME}(?![\\w./])`,
  "i",
);
const DATA_INTO_SHELL = new RegExp(
  `${DATA_NAME}["']?\\s{0,3}\\|\\s{0,3}(?:(?:base64|xxd|gunzip|tr|rev|sed|tail|head|xz)\\b[^\\n|]{0,60}\\|\\s{0,3}){0,3}(?:/bin/)?(?:ba|z|da)?sh\\b`,
  "i",
);

export const ENCODED_CODE: readonly TextRule[] = [
  {
    id: "encoded-code",
    category: "encoded-code",
    severity: "critical",
    title: "decodes something and runs it",
    why: "Something is decoded and run in the same place. Nobody who reads the skill can see what runs.",
    fix: "Decode it and read it; replace it by the plain code.",
    words: [
      ...wordsOf(
        "base64|getattr|globalthis|require(|decodebytes|buffer.from|b64|xxd|openssl|atob|fromcharcode|" +
          "unhexlify|fromhex|decompress|marshal|rot13|-enc|-e |frombase64|a85|b85|unescape|uudecode|" +
          "gunzip|zcat|[::-1]",
      ),
      "| rev",
      ...wordsOf("\\x|codecs.decode|decodeuri|reverse()|pickle|printf|chr(|b32|map(chr"),
      "| tr ",
      "| xz",
      "decode_base64",
      "unpack",
      "$'",
    ],
    cases: [
      line(
        /\bbase64\s{1,5}(?:-\w{0,3}[dD]\w{0,3}|--decode)\b|\bopenssl\s{1,5}(?:enc\s|base64\s)[^|]{0,80}-d\b|\bxxd\s{1,5}(?:-\w{1,3}\s{1,5}){0,2}-r|\buudecode\b|\bgunzip\b|\bzcat\b|\bbase32\s{1,5}-d|\|\s{0,5}rev\b|\btr\s{1,5}["']?[A-Za-z-]{3,12}["']?\s{1,5}["']?[A-Za-z-]{3,12}|\bprintf\s{1,5}["'](?:\\x[0-9a-f]{2}|\\[0-7]{3}){4}/i,
        INTO_INTERPRETER,
      ),
      line(/\beval\s{1,3}\(?\s{0,3}(?:decode_base64|unpack|pack|MIME::)\b/),
      // The name of a program, spelled in numbers.
      line(
        /\$\(\s{0,3}(?:printf|echo\s{1,3}-\w{0,3}e)\s{1,3}["']?(?:\\[0-7]{3}|\\x[0-9a-f]{2}){2}|\$'(?:\\[0-7]{3}|\\x[0-9a-f]{2}){3}/i,
      ),
      line(
        { severity: "high" },
        /\b(?:tr|xz|lzma|unlzma)\s[^\n|]{1,120}\|[^\n]{0,60}\b(?:xz|lzma|gunzip|zcat)\b/,
        INTO_INTERPRETER,
      ),
      line(
        /(?:\beval|\b(?:ba|z|da|k)?sh\s{1,5}-\w{0,4}c|\bsource|\bpython[\d.]{0,5}\s{1,5}-c|(?:^|[\s;&|])\.|<)\s{0,5}["']?(?:\$\(|`|<?\()[^\n]{0,300}(?:\bbase64\s{1,5}(?:-\w{0,3}[dD]|--decode)|\bxxd\s{1,5}[^\n]{0,20}-r|\bopenssl\b[^\n]{0,80}-d|\|\s{0,5}rev\b)/i,
      ),
      line(
        {
          none: [
            /\bre\.compile|\bsubprocess\.\w{1,20}\s{0,3}\(\s{0,3}\[\s{0,3}["'](?:git|npm|node|ffmpeg|pdf|libre|soffice|pandoc)|\bJSON\.parse\b|decodeURIComponent\s{0,3}\([^)]{0,80}\)\s{0,3}[;,)]?\s{0,3}$/,
          ],
        },
        EVALUATES,
        DECODES,
      ),
      line(
        /\b(?:powershell|pwsh)(?:\.exe)?\b/i,
        /\s-e(?:n|nc|nco|ncod|ncode|ncoded|ncodedc\w{0,10})?\s{1,5}["']?[A-Za-z0-9+/]{20}/i,
      ),
      line(
        { severity: "high" },
        /(?:\\x[0-9a-f]{2}){16}|(?:\\u00[0-9a-f]{2}){16}|(?:\\[0-7]{3}){16}|(?:0x[0-9a-f]{2},\s{0,3}){24}|(?:chr\(\d{1,3}\)\s{0,3}[+.]\s{0,3}){6}|(?:\b\d{2,3},\s{0,3}){24}/i,
        EVALUATES,
      ),
      line(
        { severity: "high" },
        /\bgetattr\s{0,3}\(\s{0,3}(?:__builtins__|builtins|__import__\s{0,3}\([^)]{0,40}\)|os)\s{0,3},\s{0,3}[^)"']{0,20}["'][^"']{0,12}["']\s{0,3}\+|\bglobalThis\s{0,3}\[\s{0,3}["'][^"']{0,12}["']\s{0,3}\+|\brequire\s{0,3}\(\s{0,3}["'][^"']{0,14}["']\s{0,3}\+\s{0,3}["']/,
      ),
    ],
    talk: TALK,
    taught: true,
  },
  {
    id: "decoded-instructions",
    category: "encoded-code",
    severity: "high",
    title: "has the agent decode a text and act on it",
    why: "The text has the agent decode something and act on it. People who review the skill do not see these instructions.",
    fix: "Decode the text and read it; write the instructions in plain text.",
    words: wordsOf(
      "base64|rot13|decod|hex|decrypt|cipher|revers|morse|back into text|right to left|backwards",
    ),
    cases: [
      sentence(
        { in: "prose", none: [/\b(?:jwt|user'?s|url-?decode|unit test)\b/i] },
        /\b(?:decode|decrypt|decipher|unscramble)\b[^.]{0,20}\b(?:it|them|this|these|before use|first)\b|\bturn\b[^.]{0,20}\bback into text\b|\bfrom right to left\b|\bread\b[^.]{0,30}\bbackwards\b/i,
        /\b(?:follow|obey|carry out|act on|do (?:what|as)|execute|comply)\b/i,
      ),
      sentence(
        { none: [/\b(?:jwt|decoder (?:model|layer)|autoencoder|url-?decode|unit test|test suite)\b/i] },
        /\b(?:decode|decrypt|un-?rot13|rot13|decipher|reverse (?:the|this|each|it))\b/i,
        /\b(?:base-?64|rot-?13|hex(?:adecimal)?|cipher\w{0,4}|string|text|message|block|payload|blob|following|below|line|letters|caesar|morse)\b/i,
        /\b(?:follow|execute|run|obey|carry out|do what|act on)\b[^.]{0,50}\b(?:instructions?|it|result|commands?|output|steps?|says?|contents?|decoded|them|text|them|what)\b/i,
      ),
    ],
    speaks: true,
    talk: /\b(?:attack\w{0,3}|malicious|injection|never|do not|don'?t|detect\w{0,3}|suspicious|forensic\w{0,2}|ctf|payloads?|malware|reverse engineer\w{0,4})\b/i,
    taught: true,
  },
  {
    id: "disguised-script",
    category: "executables",
    severity: "high",
    title: "runs a picture or a data file as a script",
    why: "A program runs a picture or a data file as a script, so nobody who looks at the names of the files expects code there.",
    fix: "Open the file as text and read it before anything runs it.",
    words: wordsOf(
      ".png|.jpg|.jpeg|.gif|.bmp|.ico|.webp|.pdf|.mp3|.mp4|.wav|.ttf|.woff|.zip|.gz|.dat|.bin|.docx|.xlsx|.lzma",
    ),
    cases: [line(RUNS_DATA), line({ none: [/\b(?:psql|mysql|sqlite3|kubectl|docker)\b/] }, DATA_INTO_SHELL)],
    talk: TALK,
    taught: true,
  },
];
