import fc from "fast-check";
import { expect, test } from "vitest";
import * as zod from "zod/v4";
import * as lazyZod from "../../../src/mcp/server/lazy-zod.ts";

/** Schemas in the manner of the SDK's, made with either zod. */
function schemasWith(z: typeof zod) {
  const base = z.object({
    _meta: z.looseObject({ token: z.union([z.string(), z.number().int()]) }).optional(),
  });
  const icon = z.object({ src: z.string().url(), sizes: z.array(z.string()).max(2).optional() });
  const named = base.extend({ name: z.string().min(1), title: z.string().optional() });
  const request = named.extend({ kind: z.literal("request"), icons: z.array(icon).default([]) });
  const notice = z.object({ ...named.shape, kind: z.literal("notice"), level: z.enum(["low", "high"]) });
  return {
    named,
    strict: named.strict(),
    loose: named.loose(),
    picked: named.pick({ name: true }),
    either: z.discriminatedUnion("kind", [request, notice]),
    both: z.intersection(base, z.object({ name: z.string() })),
    record: z.record(
      z.string(),
      z.lazy(() => icon),
    ),
    counted: z.preprocess((value) => (value === "" ? undefined : value), z.number().min(0).optional()),
    when: z.object({
      at: z.iso.datetime({ offset: true }),
      ok: z.boolean().catch(false),
      no: z.null().optional(),
    }),
    refined: z.string().refine((text) => text !== "name", "not this"),
    changed: z.string().transform((text) => text.length),
  };
}

const EAGER = schemasWith(zod);
const LAZY = schemasWith(lazyZod as unknown as typeof zod);
const NAMES = Object.keys(EAGER) as readonly (keyof typeof EAGER)[];

test.each(NAMES)("the lazy schema '%s' answers as the eager one", (name) => {
  const text = fc.constantFrom("", "name", "low", "https://a.example/b", "2026-01-01T00:00:00Z");
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie("object"),
      tie("list"),
    ),
    list: fc.array(tie("any"), { maxLength: 3 }),
    object: fc.record(
      {
        _meta: tie("any"),
        name: tie("any"),
        title: tie("any"),
        kind: fc.constantFrom("request", "notice", "other"),
        icons: fc.array(fc.record({ src: text, sizes: tie("list") }, { requiredKeys: [] }), { maxLength: 2 }),
        level: fc.constantFrom("low", "middle"),
        token: tie("any"),
        src: text,
        at: text,
        ok: tie("any"),
      },
      { requiredKeys: [] },
    ),
  })).any;
  fc.assert(
    fc.property(value, (given) => {
      const [lazy, eager] = [LAZY[name].safeParse(given), EAGER[name].safeParse(given)];
      expect(lazy.success).toBe(eager.success);
      expect(lazy.data).toEqual(eager.data);
      expect(lazy.error?.issues).toEqual(eager.error?.issues);
    }),
  );
});

test.each(["named", "strict", "loose", "picked", "either"] as const)(
  "the lazy schema '%s' has the same JSON Schema",
  (name) => {
    expect(zod.toJSONSchema(LAZY[name])).toEqual(zod.toJSONSchema(EAGER[name]));
  },
);

test("a lazy schema passes for a real one", () => {
  const schema = schemasWith(lazyZod as unknown as typeof zod).named;
  expect("_zod" in schema).toBe(true);
  expect("nothing of the kind" in schema).toBe(false);
  expect(schema).toBeInstanceOf(zod.ZodObject);
  expect(Object.keys(schema.shape)).toEqual(["_meta", "name", "title"]);
  expect(zod.object({ inner: schema }).safeParse({ inner: { name: "a" } }).success).toBe(true);
});

test("nothing is made before it is used", () => {
  const made: string[] = [];
  const values = (who: string) => ({
    get A() {
      made.push(who);
      return "a";
    },
  });
  zod.enum(values("eager"));
  const schema = (lazyZod as unknown as typeof zod).enum(values("lazy")).optional();
  expect(new Set(made)).toEqual(new Set(["eager"]));
  expect(schema.safeParse("a").success).toBe(true);
  expect(made).toContain("lazy");
});
