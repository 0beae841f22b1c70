import { openHostTokens, parseHost, variableOf } from "#sources";
import { defineCommand, printJson } from "../command.ts";
import { badUsage } from "../flags.ts";
import { printable } from "../render/text.ts";
import { homeFor, JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp logout <host>`: forgets the token of a host. */
export const command = defineCommand({
  name: "logout",
  usage: "<host>",
  summary: "forget the token of a host",
  order: 126,
  bundle: "manage",
  examples: ["logout skills.example.com"],
  flags: { ...JSON_FLAG, "user-dir": VIEW_FLAGS["user-dir"] },
  takes: "any",
  completes: [],
  usesFiles: false,
  async run({ given, positionals: [named, another], terminal }) {
    if (named === undefined || another !== undefined)
      throw badUsage("<host>", "logout takes one host: skills-mcp logout <host>.");
    const host = parseHost(named);
    const { change, file } = openHostTokens({ home: homeFor(given["user-dir"]), environment: process.env });
    const removed = await change(host, undefined);
    if (given.json) printJson(terminal, { host, file, removed });
    else if (removed) terminal.print(printable(`Removed the token for ${host} from ${file}.`) + "\n");
    else terminal.print(printable(`There is no token for ${host} in ${file}.`) + "\n");
    const variable = variableOf(host);
    if (process.env[variable]?.trim()) terminal.logLine(`skills-mcp: ${variable} is set and is still used.`);
    return 0;
  },
});
