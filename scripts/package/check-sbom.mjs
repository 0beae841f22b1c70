// Checks an SBOM against the schema of CycloneDX, and that each component has its licence in the notices.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installTools } from "../install-tools.mjs";

/** The number of components. */
export async function checkSbom(file, notices) {
  const tools = installTools("cyclonedx", {
    "@cyclonedx/cyclonedx-library": "10.3.0",
    ajv: "8.20.0",
    "ajv-formats": "3.0.1",
    "ajv-formats-draft2019": "1.6.1",
  });
  const library = path.join(tools, "@cyclonedx/cyclonedx-library/dist.node/index.node.js");
  const { Spec, Validation } = (await import(pathToFileURL(library).href)).default;
  const text = readFileSync(file, "utf8");
  const wrong = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (wrong !== null) throw new Error(`${path.basename(file)} is not CycloneDX: ${JSON.stringify(wrong)}`);
  const { components } = JSON.parse(text);
  const missing = components.filter(({ name, group, version }) => {
    const title = `${group === undefined ? "" : `${group}/`}${name} ${version}`;
    return !notices.includes(`${title} (`);
  });
  if (missing.length > 0)
    throw new Error(`No licence notice for ${missing.map(({ purl }) => purl).join(", ")}.`);
  return components.length;
}
