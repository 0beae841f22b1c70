import {
  array,
  boolean,
  enum as choice,
  int,
  number,
  record,
  strictObject,
  string,
  unknown,
  type ZodType,
} from "zod";
import { PROVIDERS } from "#agents";
import { isProfileName, parseFilterTokens } from "#skills";
import { allowedText, type Declaration, type TextType, type ValueType } from "./declaration.ts";
import { EXTENSION, PROFILE_SETTINGS, REGISTRIES, REPOS, RUNNER, SETTINGS } from "./declared-settings.ts";

// The messages say what is allowed, as the end of a sentence; check-file.ts begins it.

function schemaOf(type: ValueType): ZodType {
  const allowed = allowedText(type);
  if (type.kind === "boolean") return boolean(allowed);
  if (type.kind === "choice") return choice(type.choices, allowed);
  if (type.kind === "list") return array(schemaOf(type.of), type.allowed);
  if (type.kind === "runners") return RUNNERS;
  if (type.kind === "number")
    return (type.whole ? int(allowed) : number(allowed)).min(type.min, allowed).max(type.max, allowed);
  return textSchema(type);
}

function textSchema({ allowed, accepts, pattern, as }: TextType) {
  if (pattern !== undefined) return string(allowed).regex(pattern, allowed);
  return string(allowed).refine(as === "filter" ? isFilter : accepts, allowed);
}

function isFilter(token: string): boolean {
  try {
    parseFilterTokens([token], PROVIDERS);
    return true;
  } catch {
    return false;
  }
}

/** Refuses the one key that `record` silently ignores. */
const withoutProto = (map: ZodType) =>
  unknown()
    .refine((value) => typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__"), {
      path: ["__proto__"],
      error: "left out",
    })
    .pipe(map);

const RUNNERS = withoutProto(
  record(textSchema(EXTENSION), textSchema(RUNNER), allowedText({ kind: "runners" })).superRefine(
    (given, context) => {
      // Upper and lower case are the same extension, so one of two commands would be lost.
      const seen = new Set<string>();
      for (const key of Object.keys(given)) {
        const name = key.toLowerCase();
        const message = `left out, because ${JSON.stringify(name)} already has a command`;
        if (seen.has(name)) context.addIssue({ code: "custom", path: [key], message });
        seen.add(name);
      }
    },
  ),
);

const PROFILE_MAP =
  "a map with at least one of include, exclude, repositories, tools, the budgets and scripts";
const PROFILE_NAME =
  "left out or renamed: a profile's name has letters, digits, '.', '_' and '-', 64 at most";

/** Each of them must say something: what it leaves out is its purpose. */
const PROFILE = strictObject(
  optional(PROFILE_SETTINGS, (type) => schemaOf(type)),
  PROFILE_MAP,
).refine((profile) => Object.keys(profile).length > 0, PROFILE_MAP);

const PROFILES = withoutProto(
  record(string(), PROFILE, "a map of names to profiles").superRefine((given, context) => {
    for (const name of Object.keys(given)) {
      if (!isProfileName(name)) context.addIssue({ code: "custom", path: [name], message: PROFILE_NAME });
    }
  }),
);

const SECTION = "a map of settings";

function sectionOf(settings: Readonly<Record<string, Declaration>>): ZodType {
  const section = strictObject(
    optional(settings, ({ type }) => schemaOf(type)),
    SECTION,
  );
  return section
    .superRefine((given, context) => {
      for (const [key, { contradicts = key }] of Object.entries(settings)) {
        if (contradicts === key || given[key] !== true || given[contradicts] !== true) continue;
        const message = `false, because ${contradicts} is true`;
        context.addIssue({ code: "custom", path: [key], message });
      }
    })
    .nullish();
}

function optional<T>(values: Readonly<Record<string, T>>, schema: (value: T) => ZodType) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, schema(value).optional()]));
}

/** What one file may set. An empty section sets nothing. */
export const SCHEMA = strictObject(
  {
    ...Object.fromEntries(
      Object.entries(SETTINGS).map(([section, settings]) => [section, sectionOf(settings)]),
    ),
    repos: schemaOf(REPOS.type).nullish(),
    registries: schemaOf(REGISTRIES.type).nullish(),
    profiles: PROFILES.nullish(),
  },
  SECTION,
);
