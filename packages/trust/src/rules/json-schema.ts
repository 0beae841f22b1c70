import { array, strictObject, string, toJSONSchema } from "zod";
import { TRUST_LEVELS } from "./policy.ts";

/**
 * The JSON Schema of `trust.yaml`, for editors; the build writes it to dist/schemas. Whether a text is a source is decided by
 * parse-policy.ts alone.
 */
export function policySchema(title: string): object {
  const sources = array(string().regex(/\S/)).nullish();
  const schema = strictObject(Object.fromEntries(TRUST_LEVELS.map((level) => [level, sources])));
  return { ...toJSONSchema(schema, { target: "draft-7" }), title };
}
