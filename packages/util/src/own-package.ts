import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord, parseJson } from "./pure/json.ts";

interface OwnPackage {
  /** The folder of its package.json. */
  readonly folder: string;
  /** What it is called on a registry, which counts once it is published. */
  readonly name: string;
  /** The web address of its sources; undefined until a release names one. */
  readonly repository: string | undefined;
  /** A release sets `repository` and removes `private` in package.json. */
  readonly isPublished: boolean;
}

/** The package that this code is part of: whatever names it or its address takes both from here. */
export function ownPackage(from = path.dirname(fileURLToPath(import.meta.url))): OwnPackage {
  const file = path.join(from, "package.json");
  const found = existsSync(file) ? parseJson(readFileSync(file, "utf8")) : undefined;
  // dist/ has a package.json too, without a program.
  if (isRecord(found) && isRecord(found["bin"]) && "skills-mcp" in found["bin"]) {
    const repository = addressOf(found["repository"]);
    const isPublished = repository !== undefined && found["private"] !== true;
    return { folder: from, name: String(found["name"]), repository, isPublished };
  }
  const parent = path.dirname(from);
  if (parent !== from) return ownPackage(parent);
  return { folder: from, name: "skills-mcp", repository: undefined, isPublished: false };
}

/** The page of a repository as npm writes it: `git+https://example.com/a/b.git`. */
function addressOf(repository: unknown): string | undefined {
  const url = isRecord(repository) ? repository["url"] : repository;
  return typeof url === "string" ? /^(?:git\+)?(https?:\/\/.+?)(?:\.git)?\/?$/.exec(url)?.[1] : undefined;
}
