import type { ClientOptions, JsonSchemaType, JsonSchemaValidator } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

const own = new AjvJsonSchemaValidator();
const compiled = new Map<string, JsonSchemaValidator<unknown>>();

/** The one that clients have anyway, but each schema is compiled once, and not again for the client of every test. */
export const SHARED_VALIDATOR: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const key = JSON.stringify(schema);
    const validator = compiled.get(key) ?? own.getValidator(schema);
    compiled.set(key, validator);
    return validator as JsonSchemaValidator<T>;
  },
};
