import * as zod from "zod/v4";

/**
 * Stands in for zod in the bundle, for the SDK and for this folder (scripts/build.mjs): the same functions, but a schema
 * is made when it is first used. The SDK declares more than a thousand while it loads, and a session needs a few dozen.
 */
export { coerce, NEVER, safeParse, ZodIssueCode } from "zod/v4";

export const any = later(zod.any);
export const array = later(zod.array);
export const boolean = later(zod.boolean);
export const discriminatedUnion = later(zod.discriminatedUnion);
export const email = later(zod.email);
export const intersection = later(zod.intersection);
export const lazy = later(zod.lazy);
export const int = later(zod.int);
export const literal = later(zod.literal);
export const looseObject = laterObject(zod.looseObject);
export const number = later(zod.number);
export const object = laterObject(zod.object);
export const optional = later(zod.optional);
export const preprocess = later(zod.preprocess);
export const record = later(zod.record);
export const strictObject = laterObject(zod.strictObject);
export const string = later(zod.string);
export const tuple = later(zod.tuple);
export const union = later(zod.union);
export const unknown = later(zod.unknown);
export const url = later(zod.url);
export const iso = { date: later(zod.iso.date), datetime: later(zod.iso.datetime) };
const enumeration = later(zod.enum);
const nothing = later(zod.null);

export { enumeration as enum, nothing as null };

type Schema = object;
type Shape = Readonly<Record<string, unknown>>;
type Factory = (...args: readonly unknown[]) => Schema;

interface Lazy {
  readonly make: () => Schema;
  /** Known of an object's schema before it is made, because others are declared with its fields. */
  readonly shape?: () => Shape;
}

/** Asked of a lazy schema, it gives the real one. */
const REAL = Symbol("real schema");

/** Methods whose result can wait as well. */
const DEFERRED: ReadonlySet<PropertyKey> = new Set([
  ...["array", "catch", "default", "describe", "int", "max", "merge", "min", "nonnegative", "optional", "or"],
  ...["pipe", "refine", "startsWith", "superRefine", "transform", "url"],
]);

/** Those of an object's schema, and how each changes its fields. */
const CHANGES: ReadonlyMap<PropertyKey, (shape: Shape, given: Shape) => Shape> = new Map([
  ...["catchall", "loose", "strict", "strip"].map((name) => [name, (shape: Shape) => shape] as const),
  ["extend", (shape: Shape, given: Shape) => ({ ...shape, ...given })] as const,
  [
    "pick",
    (shape: Shape, given: Shape) => Object.fromEntries(Object.keys(given).map((key) => [key, shape[key]])),
  ] as const,
]);

function lazily({ make, shape }: Lazy): Schema {
  let real: Schema | undefined;
  const get = (): Schema => {
    real ??= make();
    return real;
  };
  return new Proxy<Schema>(Object.create(null), {
    get(_target, key) {
      if (key === REAL) return get();
      if (key === "shape" && shape !== undefined) return shape();
      const change = CHANGES.get(key);
      if (change === undefined && !DEFERRED.has(key)) return Reflect.get(get(), key);
      return (...args: readonly unknown[]) =>
        lazily({
          make: () => (Reflect.get(get(), key) as Factory).apply(get(), args.map(made)),
          ...(shape && change && { shape: () => change(shape(), args[0] as Shape) }),
        });
    },
    has: (_target, key) => key === REAL || Reflect.has(get(), key),
    set: (_target, key, value) => Reflect.set(get(), key, value),
    getPrototypeOf: () => Reflect.getPrototypeOf(get()),
  });
}

/** An argument with real schemas in it: a schema, a list or a shape of them. */
function made(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (REAL in value) return value[REAL];
  if (Array.isArray(value)) return value.map(made);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, made(inner)]));
}

function later(factory: unknown): Factory {
  return (...args) => lazily({ make: () => (factory as Factory)(...args.map(made)) });
}

function laterObject(factory: unknown): Factory {
  return (...args) =>
    lazily({ make: () => (factory as Factory)(...args.map(made)), shape: () => (args[0] ?? {}) as Shape });
}
