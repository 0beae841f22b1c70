import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly object[];
}

const { components } = JSON.parse(read("dist/sbom.cdx.json")) as {
  readonly components: readonly Component[];
};
const titleOf = ({ group, name, version }: Component): string =>
  `${group === undefined ? "" : `${group}/`}${name}@${version}`;

test("package: it has no dependencies, and runs nothing when it is installed", () => {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies, scripts } = JSON.parse(
    read("package.json"),
  ) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  expect({ ...dependencies, ...optionalDependencies, ...peerDependencies }).toEqual({});
  expect(Object.keys(scripts ?? {}).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
  expect(Object.values(devDependencies ?? {}).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual(
    [],
  );
});

test("SBOM: each bundled package has the version and the digest of the lock file, and a licence", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
  };
  const locked = new Map(
    Object.entries(packages).map(([folder, { version, integrity }]) => [
      `${folder.replace(/^.*node_modules\//, "")}@${version}`,
      integrity,
    ]),
  );
  const notices = read("dist/THIRD-PARTY-NOTICES.txt");
  expect(components.length).toBeGreaterThan(20);
  for (const component of components) {
    const [hash] = component.hashes;
    const base64 = Buffer.from(hash?.content ?? "", "hex").toString("base64");
    expect(locked.get(titleOf(component))).toBe(`sha512-${base64}`);
    expect(hash?.alg).toBe("SHA-512");
    expect(component.purl).toBe(`pkg:npm/${titleOf(component).replace(/^@/, "%40")}`);
    expect(component.licenses).toHaveLength(1);
    expect(notices).toContain(`${titleOf(component).replace(/@(?=[^@]+$)/, " ")} (`);
  }
});

test("SBOM: what the server, the dashboard and what is loaded on demand need is in it", () => {
  const names = new Set(components.map((component) => titleOf(component).replace(/@[^@]+$/, "")));
  for (const name of [
    "@modelcontextprotocol/server",
    "preact",
    "@redis/client",
    "@opentelemetry/api",
    "sucrase",
  ])
    expect(names).toContain(name);
  for (const name of ["esbuild", "typescript", "vitest", "@modelcontextprotocol/client"])
    expect(names).not.toContain(name);
});
