// The usage events of a fleet: which of them were acknowledged, and which arrived at the endpoint.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";

/** An analytics endpoint that remembers the events that it got, by their ids. */
export async function startSink() {
  const events = new Map();
  const server = http.createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      for (const event of JSON.parse(text).events) events.set(event.event_id, event);
      response.writeHead(200).end("{}");
    });
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/events`,
    has: (id) => events.has(id),
    /** How many of one type arrived that a server recorded for which this holds. */
    count: (type, isMeant = () => true) =>
      [...events.values()].filter((event) => event.type === type && isMeant(event.server_id)).length,
    close: () => server.close(),
  };
}

/** The ids of the events that a replica has on its disk and that wait for their delivery. */
export function eventsOnDisk(home) {
  const folder = path.join(home, ".skills-mcp");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.startsWith("analytics-") && name.includes(".part"));
  return files.flatMap((name) =>
    readFileSync(path.join(folder, name), "utf8")
      .split("\n")
      .flatMap((line) => idIn(line)),
  );
}

/** A kill may have cut the last line. */
function idIn(line) {
  try {
    return [JSON.parse(line).event_id];
  } catch {
    return [];
  }
}

/**
 * What became of the events. Acknowledged is an event that was on a disk; `report_usage` answers only then, and all other events are
 * written within a tenth of a second. So those of a replica that ends in an orderly way are acknowledged, and of a replica that is
 * killed those that its disk has.
 */
export function judgeEvents({ outcomes, sink, killed }) {
  const answered = outcomes.filter(({ method, problem }) => method === "tools/call" && problem === undefined);
  const isOfKilled = ({ upstream, began }) => upstream.endsWith(`:${killed.port}`) && began <= killed.at;
  const count = (tool, ofKilled) =>
    answered.filter((outcome) => outcome.tool === tool && isOfKilled(outcome) === ofKilled).length;
  const isKilled = (id) => id === killed.serverId;
  const arrived = (type, ofKilled) => sink.count(type, (id) => isKilled(id) === ofKilled);
  const missing = (tool, type, ofKilled) => Math.max(0, count(tool, ofKilled) - arrived(type, ofKilled));
  return {
    answered: answered.length,
    /** Of those that were on the disk of the killed replica, of the other replicas', and of feedback that was acknowledged. */
    lost:
      killed.onDisk.filter((id) => !sink.has(id)).length +
      missing("skill", "skill_served", false) +
      missing("report_usage", "skill_feedback", false) +
      missing("report_usage", "skill_feedback", true),
    onDisk: killed.onDisk.length,
    notYetOnDisk: missing("skill", "skill_served", true),
  };
}
