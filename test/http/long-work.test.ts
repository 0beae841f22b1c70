import { describe, expect, test } from "vitest";
import { markedProcesses, withScripts } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";
import { connectHttp, openHttp, WAYS } from "./open-http.ts";

async function openLibrary(scripts: Readonly<Record<string, string>>) {
  const sandbox = createSandbox();
  for (const [file, text] of Object.entries(withScripts(scripts))) sandbox.write(`library/${file}`, text);
  return openHttp(sandbox, { app: { library: sandbox.path("library") } });
}

describe.each(WAYS)("long work over HTTP, %s", (way) => {
  test.runIf(process.platform === "linux")(
    "a script tells its lines as they come, and ends with what it started when it is cancelled",
    async () => {
      const { url } = await openLibrary({ "wait.sh": "sleep 61 &\necho started\nwait\n" });
      const { client } = await connectHttp(url, way);
      const mark = `http-${way}-${process.pid}-${Date.now()}`;
      const abort = new AbortController();
      const lines: string[] = [];
      const run = { skill_path: "s", file: "wait.sh", args: { mark } };
      const answer = client
        .callTool(
          { name: "run_script", arguments: run },
          { signal: abort.signal, onprogress: ({ message = "" }) => void lines.push(message) },
        )
        .catch((error: unknown) => error);
      await waitUntil("the script runs", () => lines.includes("started"));
      expect(markedProcesses(mark)).not.toEqual([]);
      abort.abort("enough");
      expect(await answer).toBeInstanceOf(Error);
      await waitUntil("nothing of it is left", () => markedProcesses(mark).length === 0);
      expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    },
  );
});

test.each(["2025-11-25", "2026-07-28"] as const)("a refresh tells its steps, %s", async (way) => {
  const { url } = await openLibrary({ "a.sh": "true\n" });
  const { client } = await connectHttp(url, way);
  const steps: string[] = [];
  await client.callTool(
    { name: "refresh_skills", arguments: {} },
    { onprogress: ({ message = "" }) => void steps.push(message) },
  );
  expect(steps).toEqual(["Reading the library."]);
});
