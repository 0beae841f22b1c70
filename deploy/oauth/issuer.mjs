// A small OAuth issuer for a skills-mcp server: people log in with a name and a password, and agents register themselves
// (RFC 7591). docs/how-to/hosted-agents.md says how to use it. The protocol is oidc-provider's; here are users and storage.
import { generateKeyPairSync, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { errors, Provider } from "oidc-provider";

const SCOPES = ["skills:read", "skills:run", "skills:admin"];
/** Where agents may be sent back to with a code: those that are known, and programs on the user's own machine. */
const RETURN_HOSTS = "claude.ai,claude.com,chatgpt.com,localhost,127.0.0.1";
const FAILURES_PER_MINUTE = 5;

/** Starts the issuer. `state` is a file with its key, users, registered agents and logins. */
export function startIssuer({ issuer, resource, state, port, returnHosts = RETURN_HOSTS.split(",") }) {
  const store = openStore(state);
  const provider = new Provider(issuer, configuration({ resource, store, returnHosts }));
  // TLS ends at the proxy in front of it.
  provider.proxy = issuer.startsWith("https:");
  const answer = provider.callback();
  const failures = new Map();
  const server = createServer((request, response) => {
    if (!/^\/login\/[\w-]+$/.test(request.url)) {
      answer(request, response);
      return;
    }
    logIn({ provider, resource, store, failures, request, response }).catch((error) => {
      const status = error instanceof errors.SessionNotFound ? 400 : 500;
      if (status === 500) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      send(response, status, page("This login is over", "<p>Begin again in the agent.</p>"));
    });
  });
  server.listen(port, "127.0.0.1", () =>
    process.stdout.write(`${issuer} for ${resource} at 127.0.0.1:${server.address().port}\n`),
  );
  return server;
}

function configuration({ resource, store, returnHosts }) {
  return {
    adapter: adapterOf(store),
    jwks: { keys: [store.data.key] },
    cookies: { keys: [store.data.secret] },
    scopes: ["openid", "offline_access", ...SCOPES],
    findAccount: (_context, name) => store.user(name) && { accountId: name, claims: () => ({ sub: name }) },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    pkce: { required: () => true },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    extraClientMetadata: {
      properties: ["return_host"],
      validator: (_context, _key, _value, { redirect_uris: addresses = [] }) => {
        const other = addresses.find((address) => !returnHosts.includes(new URL(address).hostname));
        if (other !== undefined)
          throw new errors.InvalidClientMetadata(`${new URL(other).hostname} is not allowed`);
      },
    },
    // Which profile of the server a user sees, and nothing else about them.
    extraTokenClaims: (_context, { accountId }) => {
      const { profile } = store.user(accountId) ?? {};
      return profile === undefined ? undefined : { skills_profile: profile };
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, wanted) {
          if (wanted !== resource) throw new errors.InvalidTarget();
          const jwt = { sign: { alg: "ES256" } };
          return {
            scope: SCOPES.join(" "),
            audience: resource,
            accessTokenFormat: "jwt",
            accessTokenTTL: 3600,
            jwt,
          };
        },
      },
    },
    ttl: {
      Session: 14 * 86_400,
      Grant: 90 * 86_400,
      RefreshToken: 90 * 86_400,
      Interaction: 600,
      AccessToken: 3600,
    },
    clientBasedCORS: () => true,
  };
}

/** Shows who asks for what, and ends the login once name and password are right. */
async function logIn({ provider, resource, store, failures, request, response }) {
  const { uid, params, session, grantId } = await provider.interactionDetails(request, response);
  const client = await provider.Client.find(params.client_id);
  const agent = `${client.clientName ?? "An agent"} (${new URL(params.redirect_uri).host})`;
  const known = session?.accountId;
  if (request.method !== "POST") return send(response, 200, form({ uid, agent, known }));
  const given = new URLSearchParams(await text(request));
  if (given.get("answer") === "no")
    return provider.interactionFinished(request, response, { error: "access_denied" });
  const name = known ?? given.get("name") ?? "";
  if (known === undefined && !isRight(store.user(name), given.get("password") ?? "", failures, name))
    return send(
      response,
      401,
      form({ uid, agent, problem: "Name or password is wrong, or there were too many attempts." }),
    );
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId: name, clientId: client.clientId });
  const allowed = store.user(name)?.scopes ?? [];
  // Agents ask for all scopes that the server names; a person has some of them.
  const others = SCOPES.filter((scope) => !allowed.includes(scope)).join(" ");
  grant.addOIDCScope(["openid", "offline_access", ...allowed].join(" "));
  grant.addResourceScope(resource, allowed.join(" "));
  if (others !== "") {
    grant.rejectOIDCScope(others);
    grant.rejectResourceScope(resource, others);
  }
  const result = { login: { accountId: name }, consent: { grantId: await grant.save() } };
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

function isRight(user, password, failures, name) {
  const now = Date.now();
  const recent = (failures.get(name) ?? []).filter((at) => now - at < 60_000);
  if (failures.size > 1000) failures.clear();
  if (recent.length >= FAILURES_PER_MINUTE) return false;
  // As slow for a name that nobody has.
  const { salt, hash } = user ?? { salt: "", hash: "00".repeat(64) };
  const isSame = timingSafeEqual(scryptSync(password, salt, 64), Buffer.from(hash, "hex"));
  if (!isSame || user === undefined) failures.set(name, [...recent, now]);
  return isSame && user !== undefined;
}

const escaped = (value) => String(value).replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

function form({ uid, agent, known, problem }) {
  const fields =
    known === undefined
      ? '<p><label>Name <input name="name" autocomplete="username" required></label></p><p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>'
      : `<p>You are ${escaped(known)}.</p>`;
  const said = problem === undefined ? "" : `<p role="alert">${escaped(problem)}</p>`;
  return page(
    "Let an agent use your skills?",
    `<p><b>${escaped(agent)}</b> wants to read and use the skills that you may see.</p>${said}<form method="post" action="/login/${uid}">${fields}<button name="answer" value="yes">Allow</button> <button name="answer" value="no" formnovalidate>Refuse</button></form>`,
  );
}

const page = (title, body) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><body style="font:16px system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem"><h1>${title}</h1>${body}`;

function send(response, status, html) {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
  });
  response.end(html);
}

/** Everything in one file of mode 600, which is replaced whole. */
function openStore(file) {
  const data = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { users: {}, records: {} };
  data.secret ??= randomBytes(32).toString("hex");
  data.key ??= newKey();
  const save = () => {
    writeFileSync(`${file}.tmp`, JSON.stringify(data), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  };
  save();
  const user = (name) => (Object.hasOwn(data.users, name) ? data.users[name] : undefined);
  return { data, save, user };
}

function newKey() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    ...privateKey.export({ format: "jwk" }),
    alg: "ES256",
    use: "sig",
    kid: randomBytes(8).toString("hex"),
  };
}

/** What oidc-provider keeps: registered agents, logins, codes and refresh tokens. */
function adapterOf({ data, save }) {
  const now = () => Math.floor(Date.now() / 1000);
  return class {
    constructor(kind) {
      this.key = (id) => `${kind}:${id}`;
      this.kind = kind;
    }
    async upsert(id, payload, expiresIn) {
      for (const [key, { ends }] of Object.entries(data.records)) if (ends < now()) delete data.records[key];
      data.records[this.key(id)] = { payload, ends: expiresIn ? now() + expiresIn : undefined };
      save();
    }
    async find(id) {
      const found = data.records[this.key(id)];
      return found && !(found.ends < now()) ? found.payload : undefined;
    }
    async findByUid(uid) {
      const all = Object.entries(data.records).filter(([key]) => key.startsWith(`${this.kind}:`));
      return all.map(([, { payload }]) => payload).find((payload) => payload.uid === uid);
    }
    async findByUserCode() {}
    async consume(id) {
      data.records[this.key(id)].payload.consumed = now();
      save();
    }
    async destroy(id) {
      delete data.records[this.key(id)];
      save();
    }
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of Object.entries(data.records))
        if (payload.grantId === grantId) delete data.records[key];
      save();
    }
  };
}

/** `node issuer.mjs add <name> [scope…] [--profile <name>]`: a user, whose password comes from standard input. */
async function addUser(state, [name, ...more]) {
  const at = more.indexOf("--profile");
  const profile = at < 0 ? undefined : more.splice(at, 2)[1];
  const scopes = more.length > 0 ? more : ["skills:read"];
  const password = (await text(process.stdin)).trim();
  if (
    !/^[A-Za-z0-9][\w.@-]*$/.test(name ?? "") ||
    password.length < 12 ||
    scopes.some((scope) => !SCOPES.includes(scope))
  )
    throw new Error(
      `usage: node issuer.mjs add <name> [${SCOPES.join(" ")}] [--profile <name>] < password (12 characters or more)`,
    );
  const salt = randomBytes(16).toString("hex");
  const { data, save } = openStore(state);
  data.users[name] = { salt, hash: scryptSync(password, salt, 64).toString("hex"), scopes, profile };
  save();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { ISSUER, RESOURCE, STATE = "issuer.json", PORT = "4800", RETURN_TO = RETURN_HOSTS } = process.env;
  const [command, ...rest] = process.argv.slice(2);
  if (command === "add") await addUser(STATE, rest);
  else if (ISSUER === undefined || RESOURCE === undefined)
    throw new Error(
      "set ISSUER, such as https://id.example.com, and RESOURCE, such as https://skills.example.com/mcp",
    );
  else
    startIssuer({
      issuer: ISSUER,
      resource: RESOURCE,
      state: STATE,
      port: Number(PORT),
      returnHosts: RETURN_TO.split(","),
    });
}
