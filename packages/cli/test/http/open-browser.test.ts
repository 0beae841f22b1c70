import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { createLog, platform } from "#util";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { openBrowser } from "../../src/http/open-browser.ts";

const ADDRESS = "http://127.0.0.1:4700/#key=1&a=%20";

/** This system, with other programs that open an address. */
const withBrowsers = (...commands: readonly (readonly [string, ...string[]])[]) => ({
  ...platform,
  programs: { ...platform.programs, browsers: () => commands },
});

function collect() {
  const lines: string[] = [];
  return { lines, log: createLog((level, message) => lines.push(`${level} ${message}`), "debug") };
}

const FAILING = [process.execPath, "-e", "process.exit(3)"] as const;

test("browser: where one cannot be opened, the next one is", async () => {
  const opened = createSandbox().path("opened");
  const { lines, log } = collect();
  const writing = [process.execPath, "-e", `fs.writeFileSync(process.argv[1], "")`, opened] as const;
  openBrowser(ADDRESS, log, withBrowsers(["/nowhere/wslview", ADDRESS], FAILING, writing));
  await waitUntil("the last one is opened", () => existsSync(opened));
  expect(lines).toEqual([]);
});

test("browser: where none can be opened, one line says so, with the reason of the last one", async () => {
  const { lines, log } = collect();
  openBrowser(ADDRESS, log, withBrowsers(["/nowhere/wslview", ADDRESS], FAILING));
  await waitUntil("it says so", () => lines.length > 0);
  expect(lines).toEqual([
    expect.stringMatching(/^warn cannot open a browser: .* ended with 3; open the address/),
  ]);
});
