import { describe, expect, test } from "vitest";
import { parseRedisAddress, shownRedisAddress } from "../src/redis-address.ts";

describe("an address of Redis", () => {
  test.each([
    ["redis://localhost", { kind: "single", nodes: [{ host: "localhost", port: 6379 }], tls: false }],
    ["rediss://h:7000/3", { nodes: [{ host: "h", port: 7000 }], tls: true, database: 3 }],
    ["redis://[::1]:6380", { nodes: [{ host: "::1", port: 6380 }] }],
    ["redis://ann:p%40ss@h", { username: "ann", password: "p@ss", shown: "redis://h" }],
    ["redis://:secret@h", { username: undefined, password: "secret" }],
    ["redis://h?prefix=team-a:&timeout=40", { prefix: "team-a:", timeoutMs: 40, shown: "redis://h" }],
    ["redis://h", { prefix: "skills-mcp:", timeoutMs: 250, database: 0 }],
    [
      "redis+sentinel://u:p@a,b:1/mymaster",
      {
        kind: "sentinel",
        primary: "mymaster",
        nodes: [
          { host: "a", port: 26_379 },
          { host: "b", port: 1 },
        ],
        shown: "redis+sentinel://a,b:1/mymaster",
      },
    ],
    ["rediss+cluster://a,b", { kind: "cluster", tls: true, primary: undefined }],
  ])("%s is read", (text, wanted) => {
    expect(parseRedisAddress(text)).toMatchObject(wanted);
  });

  test.each([
    ["http://h", /must be an address such as/],
    ["redis://", /must be an address such as/],
    ["redis://a,b", /several hosts/],
    ["redis://h/name", /must be/],
    ["redis://h:99999", /neither a name nor an address/],
    ["redis+sentinel://a", /must be/],
    ["redis+cluster://a/0", /must be/],
    ["redis://%zz@h", /must be/],
    ["redis://h?prefix={a}", /prefix/],
    ["redis://h?timeout=0", /timeout/],
    ["redis://h?tls=1", /unknown option 'tls'/],
  ])("%s is refused, with the reason", (text, message) => {
    expect(parseRedisAddress(text)).toMatch(message);
  });

  test("no message and no shown address repeats a password", () => {
    for (const text of ["redis://u:hunter2@h/x", "redis://u:hunter2@a,b", "nonsense://u:hunter2@h"]) {
      expect(JSON.stringify(parseRedisAddress(text))).not.toContain("hunter2");
      expect(shownRedisAddress(text)).not.toContain("hunter2");
    }
    expect(shownRedisAddress("redis://u:hunter2@h:1?prefix=x:")).toBe("redis://h:1");
  });
});
