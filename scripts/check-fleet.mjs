// Three replicas behind nginx's round robin under load, while everything fails that can: `npm run check:fleet [-- --seconds 120
// --sessions 300 --streams 100 --balancer nginx|caddy]`. No request may fail but those that were in flight on a killed replica; every stream is told of
// every change, or broke and is told when it is open again; no message reaches another session; no usage event is lost that was
// acknowledged, which means that it was on a disk; memory does not grow.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./bootstrap.mjs";
import { createClient, keepStream } from "./fleet/clients.mjs";
import { createReplica, requirePrograms, startBalancer, startRedis, waitUntil } from "./fleet/machine.mjs";
import { eventsOnDisk, judgeEvents, startSink } from "./fleet/usage.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    sessions: { type: "string", default: "300" },
    streams: { type: "string", default: "100" },
    balancer: { type: "string", default: "nginx" },
  },
});
const [seconds, sessions, streamCount] = [values.seconds, values.sessions, values.streams].map(Number);
/** A notice may wait for a replica that is behind, a scan, and a client that comes back. */
const TOLD_WITHIN_MS = 15_000;
/** Between two calls of a client. */
const PAUSE_MS = 400;

/** What a replica caches of one session of the older era, to resume its streams: `LIMITS` in event-store.ts. */
const MIB_OF_SESSION = 128 / 1024;

ensureBuilt();
requirePrograms(["redis-server", values.balancer]);
const folder = mkdtempSync(path.join(tmpdir(), "skills-fleet-"));
const project = path.join(folder, "project");
const writeSkill = (name, text) => {
  mkdirSync(path.join(project, ".claude/skills", name), { recursive: true });
  writeFileSync(
    path.join(project, ".claude/skills", name, "SKILL.md"),
    `---\nname: ${name}\ndescription: ${text}\n---\n\n# ${name}\n`,
  );
};
for (let index = 0; index < 20; index++) writeSkill(`skill-${index}`, `Does things of kind ${index}.`);

// The tools of a library, of which `report_usage` acknowledges an event.
const library = path.join(folder, "library");
mkdirSync(library);
writeFileSync(path.join(library, "page.md"), "---\ndescription: A page\nkeywords: [page]\n---\nText.\n");

const sink = await startSink();
const redis = await startRedis(folder);
const env = { SKILLS_REDIS: redis.url, ANALYTICS_ENDPOINT: sink.url, SKILLS_DIR: library };
const replicas = await Promise.all(
  ["a", "b", "c"].map((name) => createReplica({ folder, name, project, env })),
);
for (const replica of replicas) await replica.start();
const balancer = await startBalancer(
  values.balancer,
  folder,
  replicas.map(({ port }) => port),
);

const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 });
const began = performance.now();
const at = () => ((performance.now() - began) / 1_000).toFixed(1).padStart(5);
const say = (text) => console.log(`${at()} s  ${text}`);
const outcomes = [];
const problems = [];
const record = (outcome) => {
  if (outcome.ended !== undefined) outcomes.push(outcome);
  if (outcome.problem !== undefined) problems.push(outcome);
};
const changes = [];
const outages = [];
const memory = [];
let killed = { at: Number.POSITIVE_INFINITY, port: 0, serverId: "", onDisk: [] };
let isOver = false;

const clients = Array.from({ length: sessions }, (_, index) =>
  createClient({ agent, port: balancer.port, index, era: index % 2 === 0 ? "legacy" : "modern", record }),
);
for (let from = 0; from < clients.length; from += 20)
  await Promise.all(clients.slice(from, from + 20).map((client) => client.open()));
say(`${clients.length} clients, half of each era`);
const streams = clients
  .slice(0, streamCount)
  .map((client) => keepStream({ client, port: balancer.port, record }));
await waitUntil("all streams are open", () => streams.every(({ isOpen }) => isOpen()));
say(`${streams.length} streams are open`);

const load = clients.map(async (client, index) => {
  await pause((index / clients.length) * PAUSE_MS);
  for (let turn = 0; !isOver; turn++) {
    const name = `skill-${(index + turn) % 20}`;
    if (turn % 10 === 0) await client.call("tools/list");
    else if (turn % 10 === 5)
      await client.call("tools/call", {
        name: "report_usage",
        arguments: { skill_path: name, useful: true },
      });
    else await client.call("tools/call", { name: "skill", arguments: { name } });
    await pause(PAUSE_MS);
  }
});
const watching = (async () => {
  while (!isOver) {
    memory.push({ at: performance.now(), mib: replicas.map((replica) => memoryOf(replica)) });
    await pause(2_000);
  }
})();
const changing = (async () => {
  for (let count = 0; !isOver; count++) {
    await pause((seconds * 1_000) / 12);
    if (isOver) break;
    writeSkill(`new-${count}`, `Came later, as number ${count}.`);
    changes.push(performance.now());
  }
})();

await faults();
isOver = true;
await Promise.all([...load, watching, changing]);
await pause(3_000);
const told = judgeStreams();
for (const stream of streams) stream.stop();
// Events are delivered every half a minute.
const judged = () => judgeEvents({ outcomes, sink, killed });
await waitUntil("usage events arrive", () => judged().lost === 0, 45_000).catch(() => {});
for (const replica of replicas) await replica.end("SIGTERM");
const failed = judge(told);
await balancer.stop();
await redis.stop();
sink.close();
agent.destroy();
rmSync(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

async function faults() {
  const [first] = replicas;
  const until = async (share) => {
    const left = share * seconds * 1_000 - (performance.now() - began);
    if (left > 0) await pause(left);
  };
  await until(0.12);
  say("kill -9 of replica a");
  killed = { at: performance.now(), port: first.port, serverId: first.serverId(), onDisk: [] };
  await first.end("SIGKILL");
  killed.onDisk = eventsOnDisk(first.home);
  await pause(3_000);
  await first.start();
  say("replica a is there again");

  await until(0.3);
  for (const replica of replicas) {
    say(`restart of replica ${replica.name}`);
    await replica.end("SIGTERM");
    await replica.start();
  }
  say("all replicas were restarted");

  await until(0.55);
  say("CLIENT KILL of every Redis connection");
  redis.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  redis.cli("CLIENT", "KILL", "TYPE", "pubsub");

  await until(0.62);
  say("Redis stops answering");
  outages.push(performance.now());
  redis.signal("SIGSTOP");
  await pause(Math.min(20_000, seconds * 170));
  const states = await Promise.all(replicas.map((replica) => replica.ready()));
  if (!states.every(({ redis: state }) => state === "degraded"))
    problems.push({ problem: `/readyz does not say degraded: ${JSON.stringify(states)}` });
  redis.signal("SIGCONT");
  say("Redis answers again");

  await until(0.88);
  say("Redis restarts with an empty memory");
  outages.push(performance.now());
  await redis.stop();
  await redis.start();
  await until(1);
}

function memoryOf(replica) {
  try {
    return Math.round(replica.memory());
  } catch {
    return undefined;
  }
}

/** Which streams were not told of which change, and how often one was told twice without a reason. */
function judgeStreams() {
  const missed = [];
  let twice = 0;
  for (const { client, events } of streams)
    for (const [index, changedAt] of changes.entries()) {
      const next = changes[index + 1] ?? Number.POSITIVE_INFINITY;
      const later = events.filter((event) => event.at > changedAt && event.at < changedAt + TOLD_WITHIN_MS);
      const notices = later.filter((event) => event.kind === "notice" && event.at < next);
      const reopened = later.some((event) => event.kind === "open");
      // A client of the newer era that opens a stream anew lists by itself: it has no session that could be told.
      if (notices.length === 0 && !(client.era === "modern" && reopened) && !later.some(isNotice))
        missed.push(`${client.name} (${client.era}), change ${index}`);
      const isDisturbed = reopened || outages.some((time) => Math.abs(time - changedAt) < seconds * 300);
      if (notices.length > 1 && !isDisturbed) twice++;
    }
  return { missed, twice };
}

function isNotice({ kind }) {
  return kind === "notice";
}

function judge({ missed, twice }) {
  const isExcused = ({ began: from = 0, ended = 0 }) => from <= killed.at && ended >= killed.at;
  const wrong = problems.filter(({ problem }) => problem.startsWith("wrong session"));
  const others = problems.filter((problem) => !wrong.includes(problem));
  const unexcused = others.filter((problem) => !isExcused(problem));
  const durations = outcomes.map(({ began: from, ended }) => ended - from).sort((a, b) => a - b);
  const [median, p99] = [0.5, 0.99].map((share) => durations[Math.floor(durations.length * share)] ?? 0);
  const usage = judged();
  const growth = memoryGrowth();
  const lines = [
    [`${outcomes.length} requests, median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`, true],
    [`${others.length - unexcused.length} failed in flight on the killed replica`, true],
    [`${unexcused.length} other requests failed`, unexcused.length === 0],
    [`${changes.length} changes × ${streams.length} streams: ${missed.length} not told`, missed.length === 0],
    // Allowed: a replica was behind for longer than clients wait, so that they were told again.
    [`${twice} told again of a change, because a replica was behind`, true],
    [`${wrong.length} messages to a wrong session`, wrong.length === 0],
    [
      `${usage.lost} acknowledged usage events lost, of ${usage.answered} calls and ${usage.onDisk} events on the disk of the killed replica`,
      usage.lost === 0,
    ],
    [
      `${usage.notYetOnDisk} answered calls of the killed replica whose events were not on its disk yet`,
      true,
    ],
    [
      `memory after the restarts ${growth.from.join(", ")} MiB, at the end ${growth.to.join(", ")} MiB`,
      growth.isFlat,
    ],
  ];
  for (const [text, isGood] of lines) console.log(`${isGood ? "ok  " : "FAIL"}  ${text}`);
  for (const { client, method, problem, status, upstream } of unexcused.slice(0, 10))
    console.log(`      ${client ?? ""} ${method ?? ""} ${status ?? ""} ${upstream ?? ""} ${problem}`);
  for (const one of missed.slice(0, 10)) console.log(`      not told: ${one}`);
  return lines.some(([, isGood]) => !isGood);
}

/** Of the time after the last restart, in which the replicas fill the events of their sessions again. */
function memoryGrowth() {
  const settled = memory.filter(({ at: time }) => time - began > seconds * 550);
  const from = settled[0]?.mib ?? [];
  const to = settled.at(-1)?.mib ?? [];
  const most = (mib) => mib * 1.35 + 30 + (sessions / 2) * MIB_OF_SESSION;
  return { from, to, isFlat: to.every((mib, index) => mib <= most(from[index] ?? 0)) };
}
