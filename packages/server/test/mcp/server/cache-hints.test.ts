import { expect, test } from "vitest";
import { NO_LOG } from "#util";
import { DEFAULT_TOOLS } from "../../../src/mcp/definitions/tool-sets.ts";
import { cacheHints } from "../../../src/mcp/server/capabilities.ts";
import type { ServerSettings } from "../../../src/mcp/server/settings.ts";

const settings = (given: Partial<ServerSettings>): ServerSettings => ({
  tools: DEFAULT_TOOLS.loader,
  toolNames: "dotted",
  descriptionFormat: "xml",
  descriptionBudget: undefined,
  announcesChanges: true,
  listsLastMs: 30_000,
  log: NO_LOG,
  ...given,
});

test("lists may be cached until the next scan, and files not at all", () => {
  const hints = cacheHints(settings({}));
  expect(hints["resources/list"]).toEqual({ ttlMs: 30_000, cacheScope: "public" });
  expect(hints["resources/read"]).toEqual({ ttlMs: 0, cacheScope: "public" });
});

test("tools and instructions are private, because they depend on the client's name", () => {
  const hints = cacheHints(settings({ descriptionBudget: 500 }));
  expect(hints["tools/list"]?.cacheScope).toBe("private");
  expect(hints["server/discover"]?.cacheScope).toBe("private");
});

test("where callers must say who they are, nothing may be shared", () => {
  const hints = cacheHints(settings({ cacheScope: "private", descriptionBudget: 500 }));
  expect(new Set(Object.values(hints).map((hint) => hint.cacheScope))).toEqual(new Set(["private"]));
});
