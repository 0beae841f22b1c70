import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { runBin } from "../../../test/support/bin.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { HAS_REDIS, startRedis } from "../../../test/support/redis-server.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";

/** Why it cannot run here; undefined where it can. */
const MISSING = HAS_REDIS
  ? spawnSync("openssl", ["version"]).status === 0
    ? undefined
    : "openssl is not installed"
  : "redis-server is not installed";

/** A certificate that signs itself, for this machine. */
function writeCertificate(sandbox: Sandbox) {
  const [certificate, key] = [sandbox.path("certificate.pem"), sandbox.path("key.pem")];
  const args = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const made = spawnSync("openssl", ["req", ...args, ...names, "-keyout", key, "-out", certificate]);
  expect(made.status).toBe(0);
  return { certificate, key };
}

test.skipIf(MISSING !== undefined)(
  `rediss:// is TLS: with the authority in NODE_EXTRA_CA_CERTS it connects, without it one line says why${MISSING === undefined ? "" : ` (skipped: ${MISSING})`}`,
  async () => {
    const sandbox = createSandbox();
    const { certificate, key } = writeCertificate(sandbox);
    const port = await freePort();
    const server = await startRedis({
      port,
      args: [
        ...["--port", "0", "--tls-port", String(port), "--requirepass", "s3cret", "--tls-auth-clients", "no"],
        ...["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate],
      ],
    });
    onTestFinished(() => server.close());
    const stats = (env: Readonly<Record<string, string>>) =>
      runBin(sandbox, ["stats", "--redis", `rediss://:s3cret@localhost:${port}?timeout=5000`], { env });
    expect(stats({ NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No replica has served a skill"),
      stderr: "",
    });
    expect(stats({})).toEqual({
      code: 1,
      stdout: "",
      stderr: `skills-mcp: Redis at rediss://localhost:${port} does not answer: self-signed certificate.\n`,
    });
  },
);
