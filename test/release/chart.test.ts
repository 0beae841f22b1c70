import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { chartFiles } from "../../scripts/release/chart.mjs";

const FOLDER = path.resolve(import.meta.dirname, "../../deploy/kubernetes");
const manifests = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [file, readFileSync(path.join(FOLDER, file), "utf8")]),
);
const about = { version: "1.2.3", description: "A server." };
const chart = chartFiles(manifests, about);
const values = load(chart["values.yaml"] ?? "") as Readonly<Record<string, unknown>>;

/** As much of Helm as the templates use; `npm run check:release` renders them with Helm itself. */
function render(template: string): string {
  return template.replace(
    /\{\{ \.Values\.([\w.]+)( \| trim \| indent 4)? \}\}/g,
    (_all, key: string, isBlock) => {
      const value = key
        .split(".")
        .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], values);
      return isBlock ? String(value).trim().replaceAll(/^/gm, "    ") : String(value);
    },
  );
}

test("chart: with its default values it renders the plain manifests, without the example of a secret", () => {
  const rendered = Object.entries(chart).flatMap(([file, text]) =>
    file.startsWith("templates/") && file.endsWith(".yaml") ? [[path.basename(file), render(text)]] : [],
  );
  const { "secret.example.yaml": secret, ...others } = manifests;
  expect(secret).toContain("kind: Secret");
  expect(Object.fromEntries(rendered)).toEqual(others);
});

test("chart: has the values that people change, and a schema that refuses others", () => {
  expect(values).toMatchObject({
    image: { repository: "skills-mcp", tag: expect.any(String) },
    publicUrl: expect.any(String),
    replicas: { min: 3, max: 10 },
    config: expect.stringContaining("repos:"),
  });
  const validate = new AjvJsonSchemaValidator().getValidator<unknown>(
    JSON.parse(chart["values.schema.json"] ?? "") as object,
  );
  expect(validate(values).valid).toBe(true);
  for (const wrong of [
    { replicas: { min: "two", max: 10, cpuPercent: 200 } },
    { publicUrl: "" },
    { imagee: {} },
  ])
    expect(validate({ ...values, ...wrong }).valid).toBe(false);
  expect(load(chart["Chart.yaml"] ?? "")).toMatchObject({
    apiVersion: "v2",
    name: "skills-mcp",
    version: "1.2.3",
  });
});

test("chart: a release names its own image", () => {
  const released = chartFiles(manifests, {
    ...about,
    image: "ghcr.io/your-org/tools",
    page: "https://github.com/your-org/tools",
  });
  expect(released["values.yaml"]).toContain("repository: ghcr.io/your-org/tools");
  expect(released["Chart.yaml"]).toContain("home: https://github.com/your-org/tools");
});

test("chart: a manifest that lost a declared value is refused", () => {
  const { "autoscaler.yaml": text = "" } = manifests;
  const broken = { ...manifests, "autoscaler.yaml": text.replace("minReplicas", "replicas") };
  expect(() => chartFiles(broken, about)).toThrow("autoscaler.yaml has no replicas.min");
});
