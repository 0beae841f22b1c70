import { expect, test } from "vitest";
import { entryOf, plain } from "../../../../../test/support/skills.ts";
import { byLikelyUse } from "../../../src/mcp/describe/list-order.ts";

test("list order: this project's skills come first, then those used lately, then those that fit it, then the rest", () => {
  const entry = (name: string, location: "user" | "project", description = "") =>
    entryOf(plain("claude", name, { location, description }));
  const entries = [
    ...["a", "b", "c"].map((name) => entry(name, "user")),
    entry("charts", "user", "Draws charts with Python."),
    ...["d", "python-style", "react-forms"].map((name) => entry(name, "user")),
    ...["y", "z"].map((name) => entry(name, "project")),
  ];
  const project = { topics: ["python"], packages: ["react"], files: ["pyproject.toml"] };
  const ordered = byLikelyUse(entries, { recent: new Set(["c", "b", "gone"]), project });
  expect(ordered.entries.map(({ listedAs }) => listedAs)).toEqual([
    ...["y", "z"],
    ...["b", "c"],
    ...["python-style", "react-forms", "charts"],
    ...["a", "d"],
  ]);
  expect(ordered.first).toEqual({ always: 0, near: 2, recent: 2, fitting: 3 });
});
