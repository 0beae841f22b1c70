// The Helm chart, made of deploy/kubernetes: its templates are those manifests with placeholders for what people change, and its default
// values are what stands there. With them it renders the same manifests.
import { dump } from "js-yaml";
import { PRODUCT } from "./manifests.mjs";

/**
 * What people change: the file, the text around each value, and where the values are in values.yaml. A group of the pattern is a value.
 * The Secret is no part of the chart: whoever installs it makes one.
 */
const VALUES = [
  {
    file: "deployment.yaml",
    pattern: /(?<=^ +image: )(\S+):(\S+)$/gm,
    keys: ["image.repository", "image.tag"],
  },
  { file: "deployment.yaml", pattern: /(?<=--public-url=)(\S+)$/gm, keys: ["publicUrl"] },
  { file: "deployment.yaml", pattern: /(?<=requests: \{ cpu: )([^,]+)/g, keys: ["resources.requests.cpu"] },
  {
    file: "deployment.yaml",
    pattern: /(?<=requests: \{.* memory: )(\S+)/g,
    keys: ["resources.requests.memory"],
  },
  { file: "deployment.yaml", pattern: /(?<=limits: \{ memory: )(\S+)/g, keys: ["resources.limits.memory"] },
  { file: "autoscaler.yaml", pattern: /(?<=minReplicas: )(\d+)/g, keys: ["replicas.min"] },
  { file: "autoscaler.yaml", pattern: /(?<=maxReplicas: )(\d+)/g, keys: ["replicas.max"] },
  { file: "autoscaler.yaml", pattern: /(?<=averageUtilization: )(\d+)/g, keys: ["replicas.cpuPercent"] },
  { file: "service.yaml", pattern: /(?<=port: )(\d+)(?=, targetPort)/g, keys: ["service.port"] },
  { file: "config.yaml", pattern: /(?<=config\.yaml: \|\n)((?: {4}.*\n)+)/g, keys: ["config"] },
];
const NOT_IN_CHART = "secret.example.yaml";

/** The files of the chart by path, from the manifests by name. `image` is where a release publishes it. */
export function chartFiles(manifests, { version, description, page, image }) {
  const values = {};
  const templates = Object.fromEntries(
    Object.entries(manifests)
      .filter(([file]) => file !== NOT_IN_CHART)
      .map(([file, text]) => [`templates/${file}`, templateOf(file, text, values)]),
  );
  if (image !== undefined) values.image.repository = image;
  const chart = {
    apiVersion: "v2",
    name: PRODUCT,
    description,
    type: "application",
    version,
    appVersion: version,
    // autoscaling/v2.
    kubeVersion: ">=1.23.0-0",
    ...(page === undefined ? {} : { home: page, sources: [page] }),
  };
  return {
    "Chart.yaml": dump(chart),
    "values.yaml": dump(values),
    "values.schema.json": `${JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", ...schemaOf(values) }, null, 2)}\n`,
    ...templates,
    "templates/NOTES.txt": NOTES,
  };
}

const NOTES = `The pods wait for the Secret ${PRODUCT}, which this chart does not create: tokens, and what else the server must know.

  kubectl create secret generic ${PRODUCT} -n {{ .Release.Namespace }} --from-file=tokens --from-literal=SKILLS_REDIS=redis://redis:6379

Each line of the file tokens is <name>:<64 hexadecimal digits>; \`openssl rand -hex 32\` makes them. The server is the Service ${PRODUCT} at port
{{ .Values.service.port }}; put an Ingress in front of it for {{ .Values.publicUrl }}.
`;

/** A manifest with placeholders; what they stand for is added to `values`. */
function templateOf(file, text, values) {
  if (text.includes("{{")) throw new Error(`deploy/kubernetes/${file} contains {{, which Helm would replace`);
  let template = text;
  for (const { pattern, keys } of VALUES.filter((value) => value.file === file)) {
    let count = 0;
    template = template.replace(pattern, (...found) => {
      count++;
      return keys.map((key, index) => placeholder(values, key, found[index + 1])).join(":");
    });
    if (count === 0)
      throw new Error(`deploy/kubernetes/${file} has no ${keys.join(" and ")} (${pattern.source})`);
  }
  return template;
}

function placeholder(values, key, text) {
  const parts = key.split(".");
  const last = parts.pop();
  let branch = values;
  for (const part of parts) branch = branch[part] ??= {};
  const value = key === "config" ? text.replaceAll(/^ {4}/gm, "") : /^\d+$/.test(text) ? Number(text) : text;
  if ((branch[last] ?? value) !== value) throw new Error(`deploy/kubernetes has two values of ${key}`);
  branch[last] = value;
  return key === "config" ? "{{ .Values.config | trim | indent 4 }}\n" : `{{ .Values.${key} }}`;
}

/** Helm checks the values that people give against it. */
function schemaOf(value) {
  if (typeof value === "number") return { type: "integer", minimum: 1 };
  if (typeof value === "string") return { type: "string", minLength: 1 };
  const properties = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, schemaOf(inner)]));
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
