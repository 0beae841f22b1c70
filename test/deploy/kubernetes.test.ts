import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { describe, expect, onTestFinished, test } from "vitest";
import { readFileSettings } from "#config";
import { VERSION } from "#util";
import { logTo } from "../support/log.ts";
import { createSandbox } from "../support/sandbox.ts";
import type { Kinds } from "./kinds.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, "deploy/kubernetes");

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const manifests = new Map(
  readdirSync(FOLDER).map((file) => {
    const manifest = load(readFileSync(path.join(FOLDER, file), "utf8")) as Manifest;
    return [manifest.kind, { file, manifest }] as const;
  }),
);

/** What a kind's manifest has at a path such as `spec.template`. */
function at(kind: string, keys: string): unknown {
  let value: unknown = manifests.get(kind)?.manifest;
  for (const key of keys.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Compares manifests with the schemas as TypeScript does: a wrong type, a missing and an unknown field are errors. */
function problemsIn(list: readonly Manifest[]): string {
  const cache = path.join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, "manifests-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kinds = path.relative(folder, path.join(import.meta.dirname, "kinds.ts")).replaceAll("\\", "/");
  const constants = list.map(
    (manifest, index) =>
      `export const m${index}: Kinds[${JSON.stringify(manifest.kind)}] = ${JSON.stringify(manifest)};`,
  );
  const file = path.join(folder, "manifests.ts");
  writeFileSync(file, [`import type { Kinds } from ${JSON.stringify(kinds)};`, ...constants].join("\n"));
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--allowImportingTsExtensions"];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, ...flags, "--module", "nodenext", "--types", "", file],
    { cwd: ROOT, encoding: "utf8" },
  );
  return `${stdout}${stderr}`;
}

describe("the Kubernetes manifests", () => {
  test("conform to the schemas", () => {
    expect([...manifests.keys()].toSorted()).toEqual<(keyof Kinds)[]>([
      "ConfigMap",
      "Deployment",
      "HorizontalPodAutoscaler",
      "PodDisruptionBudget",
      "Secret",
      "Service",
    ]);
    expect(problemsIn(Array.from(manifests.values(), ({ manifest }) => manifest))).toBe("");
  });

  test("a wrong one is found", () => {
    const text = readFileSync(path.join(FOLDER, "deployment.yaml"), "utf8");
    const broken = (from: string, to: string) => load(text.replace(from, to)) as Manifest;
    const problems = problemsIn([
      broken("readinessProbe", "readynessProbe"),
      broken("maxSkew: 1", "maxSkew: one"),
      broken("kind: Deployment", "kind: Deploymint"),
    ]);
    expect(problems).toContain("'\"readynessProbe\"' does not exist");
    expect(problems).toContain("not assignable to type 'number'");
    expect(problems).toContain("'Deploymint' does not exist");
  });

  test("name each other, the server's probes, its port and its version", () => {
    const labels = { "app.kubernetes.io/name": "skills-mcp" };
    expect(at("Deployment", "spec.selector.matchLabels")).toEqual(labels);
    expect(at("Deployment", "spec.template.metadata.labels")).toEqual(labels);
    expect(at("Service", "spec.selector")).toEqual(labels);
    expect(at("PodDisruptionBudget", "spec.selector.matchLabels")).toEqual(labels);
    expect(at("HorizontalPodAutoscaler", "spec.scaleTargetRef.name")).toBe(at("Deployment", "metadata.name"));
    expect(at("Deployment", "spec.template.spec.containers.0")).toMatchObject({
      image: `skills-mcp:${VERSION}`,
      ports: [{ name: "http", containerPort: 4700 }],
      livenessProbe: { httpGet: { path: "/healthz", port: "http" } },
      readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    });
    expect(at("Deployment", "spec.template.spec.initContainers.0.image")).toBe(`skills-mcp:${VERSION}`);
    expect(at("Deployment", "spec.template.spec.securityContext")).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10001,
    });
    const env = at("Deployment", "spec.template.spec.containers.0.env") as readonly { name: string }[];
    const secret = at("Secret", "stringData") as Readonly<Record<string, string>>;
    expect([...env.map(({ name }) => name), "tokens"].toSorted()).toEqual(Object.keys(secret).toSorted());
  });

  test("the settings in the ConfigMap are valid", async () => {
    const text = (at("ConfigMap", "data") as Readonly<Record<string, string>>)["config.yaml"] ?? "";
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp/config.yaml", text);
    const warnings: string[] = [];
    const places = { cwd: sandbox.project, home: sandbox.home };
    const { own } = await readFileSettings(
      places,
      logTo((line) => warnings.push(line)),
    );
    expect(warnings).toEqual([]);
    expect(own.size).toBeGreaterThan(0);
  });
});
