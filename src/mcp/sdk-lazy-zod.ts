import * as zod from "zod/v4";

/**
 * Stands in for zod inside the SDK in the bundle (scripts/build.mjs): the same functions, but a schema is made when it
 * is first used. The SDK declares more than a thousand schemas while it loads, and a session needs a few dozen.
 */
export { coerce, iso, NEVER, safeParse, toJSONSchema, ZodIssueCode } from "zod/v4";

export const any = later(zod.any);
export const array = later(zod.array);
export const boolean = later(zod.boolean);
export const discriminatedUnion = later(zod.discriminatedUnion);
export const email = later(zod.email);
export const intersection = later(zod.intersection);
export const lazy = later(zod.lazy);
export const literal = later(zod.literal);
export const looseObject = laterObject(zod.looseObject);
export const number = later(zod.number);
export const object = laterObject(zod.object);
export const optional = later(zod.optional);
export const preprocess = later(zod.preprocess);
export const record = later(zod.record);
export const string = later(zod.string);
export const union = later(zod.union);
export const unknown = later(zod.unknown);
export const url = later(zod.url);
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

/** Methods whose result can wait as well: how each changes the fields of an object's schema. */
const SAME = (shape: Shape): Shape => shape;
const DEFERRED: ReadonlyMap<PropertyKey, ((shape: Shape, given: Shape) => Shape) | undefined> = new Map([
  ...["array", "default", "describe", "int", "max", "merge", "min", "optional", "or", "pick", "pipe"].map(
    (name) => [name, undefined] as const,
  ),
  ...["refine", "superRefine", "transform"].map((name) => [name, undefined] as const),
  ...["catchall", "loose", "strict", "strip"].map((name) => [name, SAME] as const),
  ["extend", (shape, given) => ({ ...shape, ...given })] as const,
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
      if (!DEFERRED.has(key)) return Reflect.get(get(), key);
      const change = DEFERRED.get(key);
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
