import process from "node:process";

/**
 * Stands in for the SDK's own shims in the bundle (scripts/build.mjs). The SDK would load a JSON Schema compiler, a third
 * of the bundle, to check schemas that it was given; our tools check their arguments themselves.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("The bundle has no JSON Schema validator: check arguments with the tool's own schema.");
  }
}

export { process };
