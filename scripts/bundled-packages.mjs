// The packages whose code is in the bundles, as those need to know who run or pass on dist/: their licences, and an SBOM. A package that
// is installed has no dependencies, so nothing else tells a scanner what is inside.
import { readFileSync } from "node:fs";
import path from "node:path";

/** The packages that have a file among the inputs of the bundles, as package-lock.json records them, in order of their names. */
export function bundledPackages(inputs) {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      // Where node_modules is a link, the inputs are named by what it leads to.
      const locked = packages[folder.slice(folder.indexOf("node_modules/"))];
      if (locked?.version !== version || locked.integrity === undefined)
        throw new Error(`${folder} is bundled, but package-lock.json does not have its version ${version}.`);
      return { folder, name, version, license, integrity: locked.integrity };
    })
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** The licence of each package, as their authors require. */
export function notices(packages) {
  return packages
    .map(({ folder, name, version, license }) => {
      const texts = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"].map((file) =>
        path.join(folder, file),
      );
      const text =
        texts.map(readIfThere).find((content) => content !== undefined) ?? `Licensed under ${license}.\n`;
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** CycloneDX 1.6. It has no time and no random number, so that one lock file gives one text. */
export function sbom(packages) {
  const product = JSON.parse(readFileSync("package.json", "utf8"));
  const self = `${product.name}@${product.version}`;
  const components = packages.map(({ name, version, license, integrity }) => ({
    type: "library",
    "bom-ref": purl(name, version),
    ...named(name),
    version,
    scope: "required",
    hashes: integrity.split(" ").map(hashOf),
    licenses: licensesOf(license),
    purl: purl(name, version),
  }));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": self,
        ...named(product.name),
        version: product.version,
        description: product.description,
        licenses: licensesOf(product.license),
      },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map(({ purl: ref }) => ref) }],
  };
}

function named(name) {
  const [last, group] = name.split("/").reverse();
  return { ...(group === undefined ? {} : { group }), name: last };
}

function purl(name, version) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

const ALGORITHMS = { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };

/** `sha512-<base64>`, as a lock file has it, is of the packed package. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split(/-(.*)/s);
  return { alg: ALGORITHMS[algorithm], content: Buffer.from(digest, "base64").toString("hex") };
}

/** One licence has its SPDX id; several are an expression. */
function licensesOf(license) {
  return [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
