// A model on loopback that records every request and answers as it is told. Beside it runs a proxy that stands for the whole
// internet: it answers for one vendor's address itself and refuses every other.
import http from "node:http";
import https from "node:https";
import zlib from "node:zlib";
import { anthropic } from "./apis/anthropic.mjs";
import { gemini } from "./apis/gemini.mjs";
import { openaiChat } from "./apis/openai-chat.mjs";
import { openaiResponses } from "./apis/openai-responses.mjs";

const APIS = [anthropic, openaiResponses, openaiChat, gemini];

/**
 * `answer` receives what a request shows the model and returns `{ text }` or `{ call: { tool, args, id } }`.
 * `vendor` is `{ host, key, cert }` for a program that only speaks with its vendor's address.
 */
export async function startStubModel(answer, vendor) {
  const requests = [];
  const handle = async (request, response) => {
    const url = request.url.split("?")[0];
    const api = request.method === "POST" ? APIS.find(({ path }) => path.test(url)) : undefined;
    const body = parse(await bytesOf(request));
    if (api === undefined || body === undefined) return sendOther(response, url);
    const shown = api.read(body);
    requests.push(body);
    const context = { id: requests.length, model: body.model ?? "stub-model" };
    const given = answer(shown, context.id);
    if (api.streams(request.url, body)) sendEvents(response, api.events(given, context));
    else sendJson(response, 200, api.body(given, context));
  };
  const server = http.createServer((request, response) => {
    handle(request, response).catch((error) =>
      sendJson(response, 500, { error: { message: error.message } }),
    );
  });
  const proxy = await startProxy(server, vendor);
  const url = `http://127.0.0.1:${await listen(server)}`;
  const close = () => {
    proxy.close();
    server.closeAllConnections();
    server.close();
  };
  return { url, proxyUrl: proxy.url, requests, refused: proxy.refused, close };
}

/** Programs ask for more than answers: lists of models, counts of tokens, telemetry. */
function sendOther(response, url) {
  if (/count_?tokens$/i.test(url)) return sendJson(response, 200, { input_tokens: 10, totalTokens: 10 });
  if (!url.endsWith("/models")) return sendJson(response, 404, { error: { message: "not found" } });
  const model = { id: "stub-model", object: "model", type: "model", created: 1, owned_by: "stub" };
  return sendJson(response, 200, { object: "list", data: [model], models: [], has_more: false });
}

async function startProxy(model, vendor) {
  const refused = new Set();
  const sockets = new Set();
  const secure = vendor && https.createServer(vendor, (...both) => model.emit("request", ...both));
  const proxy = http.createServer((request, response) => {
    refused.add(new URL(request.url, "http://127.0.0.1").host);
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    if (secure && request.url === `${vendor.host}:443`) {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      secure.emit("connection", socket);
      return;
    }
    refused.add(request.url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const url = `http://127.0.0.1:${await listen(proxy)}`;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url, refused, close };
}

function listen(server) {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve(server.address().port));
  });
}

async function bytesOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const encoding = request.headers["content-encoding"];
  if (encoding === "gzip") return zlib.gunzipSync(bytes);
  if (encoding === "br") return zlib.brotliDecompressSync(bytes);
  return bytes;
}

function parse(bytes) {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function sendJson(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function sendEvents(response, events) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { event, data } of events) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}
