import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { sandboxHere, shareRunners } from "./script-fixture.ts";

const status = await sandboxHere();
const withRunner = shareRunners();

/** For real where a sandbox works, else skipped with the reason in the name. */
const sandboxed = (name: string, check: () => Promise<void>): void => {
  if (status.kind === "none") test.skip(`${name} (skipped: ${status.reason})`, check);
  else test(name, check);
};

async function greeter(address: string | { readonly port: number; readonly host: string }): Promise<number> {
  const server = createServer((socket) => void socket.end("hello\n"));
  if (typeof address === "string") server.listen(address);
  else server.listen(address);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const bound = server.address() as AddressInfo | string;
  return typeof bound === "string" ? 0 : bound.port;
}

const CONNECT = 'exec 3<>"/dev/tcp/127.0.0.1/$SKILL_ARG_PORT" && cat <&3';

describe("the network of a script in a sandbox", () => {
  sandboxed("is the machine's with network, and none without", async () => {
    const { run } = withRunner("required");
    const args = { port: String(await greeter({ port: 0, host: "127.0.0.1" })) };
    expect(await run(CONNECT, { args, network: true })).toMatchObject({ success: true, stdout: "hello\n" });
    expect(await run(CONNECT, { args, network: false })).toMatchObject({ success: false, stdout: "" });
  });

  sandboxed("comes with the files that name hosts, and with no other", async () => {
    const { run } = withRunner("required");
    const { stdout } = await run(
      "ls /etc; getent hosts localhost; cat /etc/shadow 2>&1; ls /root /home 2>&1",
      {
        network: true,
      },
    );
    expect(stdout).toMatch(/^hosts$/m);
    expect(stdout).toMatch(/localhost/);
    expect(stdout).toMatch(/shadow: No such file/);
  });

  sandboxed("leads to no socket of another program by a name", async () => {
    if (status.kind !== "bubblewrap") return;
    const { sandbox, run } = withRunner("required");
    const name = `skills-mcp-test-${process.pid}`;
    await greeter(`\0${name}`);
    const file = sandbox.write(
      "library/ui/scripts/abstract.js",
      `const socket = require("node:net").connect("\\0${name}");
       socket.on("data", (data) => console.log(String(data)));
       socket.on("error", (error) => console.log(error.code));`,
    );
    const { stdout } = await run("", { file, runner: ["node"], network: true });
    expect(stdout).toMatch(/^(?:EPERM|EACCES)\n$/);
  });

  sandboxed("does not change what a script may write", async () => {
    const { sandbox, run } = withRunner("required");
    const place = sandbox.path("home/written");
    expect(await run(`echo x > ${place}`, { network: true })).toMatchObject({ success: false });
  });
});
