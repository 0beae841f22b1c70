// Runs one host once: its own home, the stub model, and the server behind a relay that writes down what was said.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PROMPT } from "./conversation.mjs";
import { endLeftovers, runProcess } from "./processes.mjs";
import { startStubModel } from "./stub-model.mjs";
import { installHost } from "./versions.mjs";

const RELAY = path.join(path.dirname(fileURLToPath(import.meta.url)), "relay.mjs");
const TIME_LIMIT_MS = 180_000;

/**
 * `bin` is the built server. `prepare` may change what is started, and the files that its configuration was written to. Returns what the
 * model was shown (in `conversation`) and what the server was asked.
 */
export async function runHost(
  host,
  { world, bin, serverArgs = [], conversation, prompt = PROMPT, prepare = (plan) => plan },
) {
  const inPath = installHost(host.program);
  const node22 = host.needsNode22 ? installHost("node22")("node") : undefined;
  const vendor = host.vendor === undefined ? undefined : createCertificate(world, host.vendor);
  const model = await startStubModel(conversation.answer, vendor);
  const log = path.join(world.base, "mcp.jsonl");
  const server = {
    command: process.execPath,
    args: [RELAY, log, process.execPath, bin, "mcp", ...serverArgs],
  };
  const plan = await prepare(host.start({ world, bin, modelUrl: model.url, server, prompt, inPath, node22 }));
  const type = plan.isReady && {
    text: prompt,
    isReady: (screen) => plan.isReady(screen) && answersTo(readLog(log), "tools/list").length > 0,
  };
  const env = {
    ...environment(world, model.proxyUrl),
    ...(vendor ? { NODE_EXTRA_CA_CERTS: vendor.file } : {}),
  };
  const command = {
    command: plan.command,
    args: plan.args,
    cwd: world.project,
    env: { ...env, ...plan.env },
    type,
  };
  const { how, output } = await runProcess(command, conversation.over, TIME_LIMIT_MS);
  await endLeftovers(world.base);
  model.close();
  world.write("requests.json", JSON.stringify(model.requests, undefined, 1));
  world.write("output.txt", output);
  world.write("refused.txt", [...model.refused].join("\n"));
  return { how, output, ...serverSide(readLog(log)) };
}

/** Nothing of this machine's own: a host would find its user's settings, keys and proxies there. */
function environment({ home, temporary }, proxyUrl) {
  const loopback = "127.0.0.1,localhost";
  return {
    PATH: process.env.PATH,
    HOME: home,
    USER: "someone",
    SHELL: "/bin/sh",
    TERM: "dumb",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    TMPDIR: temporary,
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    https_proxy: proxyUrl,
    NO_PROXY: loopback,
    no_proxy: loopback,
  };
}

/** A certificate for a vendor's address. Only a program that is told of it trusts it, and it is removed with the world. */
function createCertificate(world, host) {
  const [keyFile, file] = ["key.pem", "certificate.pem"].map((name) => path.join(world.base, name));
  const { status, stderr, error } = spawnSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=check-hosts"].concat([
      "-addext",
      `subjectAltName=DNS:${host}`,
      "-keyout",
      keyFile,
      "-out",
      file,
    ]),
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`openssl cannot make a certificate: ${error?.message ?? stderr}`);
  return { host, file, key: readFileSync(keyFile), cert: readFileSync(file) };
}

/** What is not a message stays in the file: Cline tries the framing of another protocol when an answer is late. */
function readLog(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.flatMap((text) => {
    const { from, line } = JSON.parse(text);
    return line.trimStart().startsWith("{") ? [{ from, message: JSON.parse(line) }] : [];
  });
}

/** Requests of the host with the results that it got. Some hosts start the server twice and count from 0 again. */
function answersTo(log, method) {
  return log.flatMap(({ from, message }, index) => {
    if (from !== "host" || message.method !== method) return [];
    const answer = log
      .slice(index)
      .find((entry) => entry.from === "server" && entry.message.id === message.id);
    return answer?.message.result === undefined
      ? []
      : [{ params: message.params, result: answer.message.result }];
  });
}

const CLIENT = "io.modelcontextprotocol/clientInfo";
const PROTOCOL = "io.modelcontextprotocol/protocolVersion";

/** What the server was told of the client, and what it sent. */
function serverSide(log) {
  const [hello] = [...answersTo(log, "server/discover"), ...answersTo(log, "initialize")];
  const [prompts] = answersTo(log, "prompts/list");
  return {
    client: hello?.params.clientInfo ?? hello?.params._meta?.[CLIENT],
    protocol: hello?.params.protocolVersion ?? hello?.params._meta?.[PROTOCOL],
    instructions: hello?.result.instructions ?? "",
    tools: answersTo(log, "tools/list")[0]?.result.tools ?? [],
    prompts: prompts?.result.prompts.map(({ name }) => name) ?? [],
    answers: answersTo(log, "tools/call").map(({ result }) => textOfResult(result)),
  };
}

const textOfResult = ({ content = [] }) => content.map(({ text = "" }) => text).join("");
