import { text as textOf } from "node:stream/consumers";
import { openHostTokens, parseHost, variableOf } from "#sources";
import { Refusal } from "#util/pure";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { badUsage } from "../flags.ts";
import { printable } from "../render/text.ts";
import { homeFor, JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp login <host>`: keeps the token of a host, which is then sent to that host alone. */
export const command = defineCommand({
  name: "login",
  usage: "<host>",
  summary: "keep the token of a host for add, sync and git",
  order: 125,
  bundle: "manage",
  examples: ["login skills.example.com", "login skills.example.com < token.txt"],
  flags: { ...JSON_FLAG, "user-dir": VIEW_FLAGS["user-dir"] },
  takes: "any",
  completes: [],
  usesFiles: false,
  async run({ given, positionals: [named, another], terminal }) {
    // Not repeated: it may be the token, which every process of the machine could see.
    if (another !== undefined)
      throw badUsage("<host>", "login takes one host; the token is asked for, or read from standard input.");
    const tokens = openHostTokens({ home: homeFor(given["user-dir"]), environment: process.env });
    if (named === undefined) {
      const hosts = await tokens.hosts();
      if (given.json) printJson(terminal, { hosts });
      else terminal.print(hosts.map((host) => `${host}\n`).join("") || "No host has a token.\n");
      return 0;
    }
    const host = parseHost(named);
    const replaced = await tokens.change(host, await askToken(host, terminal));
    if (given.json) printJson(terminal, { host, file: tokens.file, replaced });
    else
      terminal.print(
        printable(
          `${replaced ? "Replaced" : "Kept"} the token for ${host} in ${tokens.file}. It is sent to that host alone.`,
        ) + "\n",
      );
    const variable = variableOf(host);
    if (process.env[variable]?.trim())
      terminal.logLine(`skills-mcp: ${variable} is set and is used instead of it.`);
    return 0;
  },
});

/** A token from a person, who does not see it, or from a program. */
async function askToken(host: string, { askSecret, stdio }: Terminal): Promise<string> {
  const given = await (askSecret?.(`Token for ${host} (not shown): `) ?? textOf(stdio.stdin));
  const token = given.trim();
  if (token !== "") return token;
  throw new Refusal("No token was given; nothing was changed. Type it, or pass it on standard input.", {
    code: "bad-credentials",
  });
}
