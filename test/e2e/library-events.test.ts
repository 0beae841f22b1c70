import { describe, expect, test } from "vitest";
import { createEventSink } from "../support/event-sink.ts";
import { page, SAMPLE, serveLibraryInProcess as serveLibrary } from "../support/library.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";

describe("seed 004 §8, §10.2: the analytics events of each tool", () => {
  test("each call is one event with the fields of its row", async () => {
    const sink = await createEventSink();
    const { call, close } = await serveLibrary(
      createSandbox(DISK_FOLDER),
      { ...SAMPLE, "twin-a.md": page("twin", "One"), "twin-b.md": page("twin", "Other") },
      { env: { ANALYTICS_ENDPOINT: sink.url, USER: "ann" } },
    );
    const skill_path = "ui/react/auth";
    await call("get_skill", { context: "nothing fits" });
    await call("get_skill", { context: "twin" });
    await call("get_skill", { context: "twin", skill_path: "twin-b" });
    await call("get_skill", { context: "auth for a react component" });
    await call("get_asset", { skill_path, file: "assets/global.css" });
    await call("run_script", { skill_path, file: "scripts/audit.sh", args: { target: "a secret" } });
    await call("report_usage", { skill_path, useful: false, comment: "too short" });
    await call("refresh_skills");
    await call("get_skill", { skill_path: "twin-a" });
    // What fails is no event.
    await call("get_asset", { skill_path, file: "assets/none.css" });
    await call("run_script", { skill_path, file: "scripts/audit.sh", args: {} });
    await close();

    const events = sink.taken();
    for (const { timestamp, server_id } of events) {
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
      expect(server_id).toBe("dev-ann");
    }
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: "no_match", data: { context: "nothing fits", via: "get_skill" } },
      { type: "ambiguous", data: { context: "twin", candidates: ["twin-a", "twin-b"] } },
      {
        type: "skill_served",
        data: {
          context: "twin",
          skill_path: "twin-b",
          score: 1,
          matched_keywords: ["twin"],
          was_ambiguous: true,
          via: "get_skill",
        },
      },
      {
        type: "skill_served",
        data: {
          context: "auth for a react component",
          skill_path,
          score: 0.85,
          matched_keywords: ["react", "auth", "component"],
          was_ambiguous: false,
          via: "get_skill",
        },
      },
      {
        type: "asset_served",
        data: {
          skill_path,
          file: "assets/global.css",
          asset_type: "style",
          is_inherited: true,
          size_bytes: 8,
        },
      },
      {
        type: "script_executed",
        data: {
          skill_path,
          file: "scripts/audit.sh",
          execution_mode: "server",
          success: true,
          exit_code: 0,
          duration_ms: expect.any(Number),
          args_provided: ["target"],
        },
      },
      { type: "skill_feedback", data: { skill_path, useful: false, comment: "too short" } },
      {
        type: "refresh",
        data: { mode: "local", success: true, commit_hash: null, files_changed: null, skills_reindexed: 8 },
      },
      {
        type: "skill_served",
        data: {
          context: null,
          skill_path: "twin-a",
          score: 1,
          matched_keywords: [],
          was_ambiguous: false,
          via: "get_skill",
        },
      },
    ]);
    expect(JSON.stringify(sink.requests())).not.toContain("a secret");
  });
});
