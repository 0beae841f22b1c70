import { describe, expect, test } from "vitest";
import { PROVIDERS } from "#agents";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { parseFilterTokens } from "../../src/catalog/filter.ts";
import type { Scan } from "../../src/scan/scan.ts";
import { TELLS_WATCHES, watchedAmong } from "./inotify.ts";
import { descriptionsIn, namesIn, openRegistry, scannerOf } from "./open-registry.ts";

/** A scan that fails while it is told to. */
function faultyScan(scan: Scan) {
  const state = { fails: true };
  const faulty: Scan = async (onFolder) => {
    if (state.fails) throw new Error("the disk is gone");
    return scan(onFolder);
  };
  return { faulty, state };
}

/** A scan that counts how many run at once. */
function countedScan(scan: Scan) {
  const count = { active: 0, most: 0, total: 0 };
  const counted: Scan = async (onFolder) => {
    count.total++;
    count.most = Math.max(count.most, ++count.active);
    try {
      return await scan(onFolder);
    } finally {
      count.active--;
    }
  };
  return { counted, count };
}

describe("snapshots", () => {
  test("the first one waits for the first scan; later ones are at hand, and the same until a refresh", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { registry, events } = openRegistry(sandbox);
    const first = await registry.snapshot();
    expect(namesIn(first)).toEqual(["pdf"]);
    sandbox.skill("project/.claude/skills/git");
    expect(await registry.snapshot()).toBe(first);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ previous: undefined, change: undefined });
  });

  test("a refresh is at least as new as the call, even while another scan is under way", async () => {
    const sandbox = createSandbox();
    const { registry } = openRegistry(sandbox);
    for (let edit = 0; edit < 30; edit++) {
      const earlier = registry.refresh("request");
      const description = `Edit ${edit}.`;
      sandbox.skill("project/.claude/skills/pdf", { description });
      expect(descriptionsIn(await registry.refresh("request"))).toEqual([description]);
      await earlier;
    }
  });

  test("a snapshot that someone holds never changes", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { registry } = openRegistry(sandbox);
    const held = await registry.snapshot();
    const before = structuredClone(held.catalog.entries);
    sandbox.skill("project/.claude/skills/pdf", { description: "Changed." });
    sandbox.skill("project/.agents/skills/pdf");
    await registry.refresh("request");
    expect(held.catalog.entries).toEqual(before);
  });

  test("the snapshot is never empty while refreshes and edits go on (P7)", async () => {
    const sandbox = createSandbox();
    for (let index = 0; index < 30; index++) sandbox.skill(`project/.claude/skills/s${index}`);
    const { registry } = openRegistry(sandbox);
    await registry.snapshot();
    let refreshing = true;
    const refreshes = (async () => {
      for (let round = 0; round < 20; round++) {
        sandbox.skill("project/.claude/skills/s0", { description: `Round ${round}.` });
        await registry.refresh("interval");
      }
      refreshing = false;
    })();
    let reads = 0;
    while (refreshing) {
      expect((await registry.snapshot()).catalog.entries).toHaveLength(30);
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await refreshes;
    expect(reads).toBeGreaterThan(20);
  });

  test("only one scan runs at a time, however many refreshes are asked for", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { counted, count } = countedScan(scannerOf(sandbox));
    const { registry } = openRegistry(sandbox, { scan: counted });
    const client = async () => {
      for (let round = 0; round < 20; round++) await registry.refresh("request");
    };
    await Promise.all([client(), client(), client()]);
    expect(count.most).toBe(1);
    // Calls that wait share one scan.
    expect(count.total).toBeLessThan(60);
  });
});

describe("refresh events", () => {
  test("they carry every reason for the scan, and what clients can see of it", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { registry, events } = openRegistry(sandbox);
    const first = await registry.snapshot();
    sandbox.skill("project/.claude/skills/git");
    sandbox.skill("project/.claude/skills/pdf", { description: "Changed." });
    const running = registry.refresh("request");
    const shared = [registry.refresh("interval"), registry.refresh("watch")];
    await Promise.all([running, ...shared]);
    expect(events.map((event) => [...event.reasons])).toEqual([
      ["start"],
      ["request"],
      ["interval", "watch"],
    ]);
    expect(events[1]).toMatchObject({ previous: first, change: { added: 1, removed: 0, changed: 1 } });
    expect(events[2]?.change).toBeUndefined();
  });

  test("a change of the body alone, or none, is nothing that a client can see", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { registry, events } = openRegistry(sandbox);
    const first = await registry.snapshot();
    sandbox.skill("project/.claude/skills/pdf", { body: "Another body." });
    const second = await registry.refresh("request");
    expect(events[1]?.change).toBeUndefined();
    expect(second.catalog).toBe(first.catalog);
  });

  test("a disabled skill leaves the catalog and stays known as disabled", async () => {
    const sandbox = createSandbox();
    sandbox.write("project/.claude/skills/off/.SKILL.md", "---\nname: off\ndescription: Is off.\n---\n");
    const { registry } = openRegistry(sandbox);
    const { catalog, disabled } = await registry.snapshot();
    expect(catalog.entries).toEqual([]);
    expect(disabled.entries).toMatchObject([{ listedAs: "off" }]);
  });

  test("the filter is applied again at every refresh", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const filter = {
      include: parseFilterTokens(["p*"], PROVIDERS),
      exclude: parseFilterTokens(["pptx"], PROVIDERS),
    };
    const { registry, events } = openRegistry(sandbox, { filter });
    expect(namesIn(await registry.snapshot())).toEqual(["pdf"]);
    for (const name of ["git", "pptx", "poem"]) sandbox.skill(`project/.claude/skills/${name}`);
    expect(namesIn(await registry.refresh("request"))).toEqual(["pdf", "poem"]);
    expect(events[1]?.change).toEqual({ added: 1, removed: 0, changed: 0 });
  });

  test("the interval scans again and again, without any watcher", async () => {
    const sandbox = createSandbox();
    const { registry, events } = openRegistry(sandbox, { intervalMs: 30 });
    await registry.snapshot();
    sandbox.skill("project/.claude/skills/pdf");
    await waitUntil("the interval finds it", async () => namesIn(await registry.snapshot()).includes("pdf"));
    const before = events.length;
    await waitUntil("it goes on", () => events.length >= before + 3);
    expect([...(events.at(-1)?.reasons ?? [])]).toEqual(["interval"]);
  });
});

describe("failures", () => {
  test("a failed refresh is reported, the last skills stay, and the next one works", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { faulty, state } = faultyScan(scannerOf(sandbox));
    state.fails = false;
    const { registry, failures } = openRegistry(sandbox, { scan: faulty, intervalMs: 30 });
    const first = await registry.snapshot();
    state.fails = true;
    await waitUntil("the interval fails", () => failures.length > 0);
    expect(await registry.snapshot()).toMatchObject({ catalog: first.catalog });
    await expect(registry.refresh("request")).rejects.toThrow("the disk is gone");
    state.fails = false;
    sandbox.skill("project/.claude/skills/git");
    expect(namesIn(await registry.refresh("request"))).toEqual(["git", "pdf"]);
  });

  test("when the very first scan fails, the next request scans again", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { faulty, state } = faultyScan(scannerOf(sandbox));
    const { registry } = openRegistry(sandbox, { scan: faulty });
    await expect(registry.snapshot()).rejects.toThrow("the disk is gone");
    state.fails = false;
    expect(namesIn(await registry.snapshot())).toEqual(["pdf"]);
  });
});

describe("close", () => {
  test("the interval stops, and closing twice is fine", async () => {
    const sandbox = createSandbox();
    const { counted, count } = countedScan(scannerOf(sandbox));
    const { registry } = openRegistry(sandbox, { scan: counted, intervalMs: 20 });
    await waitUntil("the interval runs", () => count.total > 3);
    registry.close();
    registry.close();
    const atClose = count.total;
    await new Promise((resolve) => setTimeout(resolve, 300));
    // One that was due when it closed may still have begun.
    expect(count.total).toBeLessThanOrEqual(atClose + 1);
  });

  test("closed during the first scan, it still answers, sets no watch and announces nothing", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { registry, events } = openRegistry(sandbox, { watch: true, intervalMs: 20 });
    const waiting = registry.snapshot();
    registry.close();
    expect(namesIn(await waiting)).toEqual(["pdf"]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(events).toEqual([]);
    const folders = ["project", "home", "project/.claude/skills", "project/.claude/skills/pdf"];
    if (TELLS_WATCHES) expect(watchedAmong(folders.map((each) => sandbox.path(each)))).toEqual([]);
  });
});
