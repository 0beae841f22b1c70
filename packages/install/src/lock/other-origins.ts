import { CORE_SCHEMA, load } from "js-yaml";
import { isRecord, parseJson } from "#util/pure";

/** Of `.clawhub/origin.json` in the folder of a skill. */
export function clawHubOrigin(text: string): string | undefined {
  const origin = record(parseJson(text));
  const [slug, version] = [origin["slug"], origin["installedVersion"]];
  return typeof slug === "string" && typeof version === "string" ? `clawhub:${slug}@${version}` : undefined;
}

/** Of `.clawhub/lock.json`: the folders of its skills, and where they are from. */
export function clawHubLock(text: string): ReadonlyMap<string, string> {
  const skills = Object.entries(record(record(parseJson(text))["skills"]));
  return new Map(
    skills.map(([slug, entry]) => {
      const { version } = record(entry) as { version?: unknown };
      return [slug, typeof version === "string" ? `clawhub:${slug}@${version}` : `clawhub:${slug}`];
    }),
  );
}

/** Of the front matter that `gh skill` writes. */
export function gitHubOrigin(fields: Readonly<Record<string, unknown>>): string | undefined {
  const metadata = record(fields["metadata"]);
  const repo = metadata["github-repo"];
  if (typeof repo !== "string" || repo === "") return undefined;
  const ref = metadata["github-pinned"] ?? metadata["github-ref"];
  const at = typeof ref === "string" ? `@${ref.replace(/^refs\/(?:heads|tags)\//, "")}` : "";
  return `${repo.replace(/^https:\/\/github\.com\//, "")}${at}`;
}

/** Of `apm.lock.yaml`: the folders that it deployed, relative to it, and where they are from. */
export function apmOrigins(text: string): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  const { dependencies } = record(parsedYaml(text)) as { dependencies?: unknown };
  for (const dependency of Array.isArray(dependencies) ? dependencies : []) {
    const { repo_url: repo, resolved_commit: commit, deployed_files: files } = record(dependency);
    if (typeof repo !== "string") continue;
    const origin = typeof commit === "string" ? `${repo}@${commit.slice(0, 7)}` : repo;
    for (const file of Array.isArray(files) ? files : []) {
      if (typeof file === "string") origins.set(file.replace(/\/(?:SKILL\.md)?$/, ""), origin);
    }
  }
  return origins;
}

/** Without aliases and with little depth, as front matter is read. */
function parsedYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, maxDepth: 32, maxAliases: 0 });
  } catch {
    return undefined;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
