// What does skills-mcp add to the cost of the SDK over HTTP?
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { HTTP_PARTS, measureHttp } from "./http-load/measure-http.ts";
import { figure, table } from "./measure.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    sessions: { type: "string", default: "10000" },
    connections: { type: "string", default: "32,1000" },
    parts: { type: "string", default: HTTP_PARTS.join() },
    bin: {
      type: "string",
      default: path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist", "cli.js"),
    },
  },
});

const rows = await measureHttp({
  bin: path.resolve(values.bin),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: values.connections.split(",").map(Number),
  sessions: Number(values.sessions),
  parts: HTTP_PARTS.filter((part) => values.parts.split(",").includes(part)),
});

console.log(`Calls: medians of ${values.rounds} rounds of ${values.seconds} s, ratios of each round\n`);
console.log(
  table(
    ["", "skills-mcp", "bare SDK", "ratio"],
    [...new Set(rows.map(({ name }) => name))].flatMap((heading) => [
      { heading },
      ...rows
        .filter(({ name }) => name === heading)
        .map(({ ours, floor, ratio, unit }) => [unit, figure(ours), figure(floor), `${figure(ratio)}×`]),
    ]),
  ),
);
