import { isUtf8 } from "node:buffer";
import type { ReadResourceResult } from "@modelcontextprotocol/server";
import type { LibraryTools } from "#library";
import {
  fileProvenance,
  findInSkill,
  readSkillFile,
  type SkillFile,
  type SnapshotSource,
  sha256Of,
} from "#skills";
import { nameKey, Refusal } from "#util/pure";
import type { UsageRecords } from "../../services.ts";
import { PROVENANCE } from "../answers/skill-page.ts";
import { libraryTarget } from "./library-resources.ts";
import {
  isSkillFile,
  MARKDOWN,
  namesOnDisk,
  parseResourceUri,
  resourceTypeOf,
  SKILL_SCHEME,
  splitSkillAddress,
} from "./resource-uri.ts";
import { type ServedSkill, servedSkills } from "./served-skills.ts";

type Contents = ReadResourceResult["contents"][number];

/** What resources are read from, and where reading them is recorded. */
export interface ReadableSkills extends Pick<SnapshotSource, "snapshot">, Pick<UsageRecords, "record"> {
  readonly library: Pick<LibraryTools, "readContent" | "getAsset">;
}

/** The current content of a resource; undefined when it does not exist. */
export async function readResource(uri: string, skills: ReadableSkills): Promise<Contents | undefined> {
  const address = parseResourceUri(uri);
  if (address === undefined) return undefined;
  if (address.scheme !== SKILL_SCHEME) return readLibrary(uri, address.parts, skills);
  const found = await findSkillFile(uri, skills);
  if (found === undefined) return undefined;
  const { served, file } = found;
  const bytes = await readSkillFile(served.entry.skill, file);
  if (isSkillFile(served.entry.skill, file.names)) {
    skills.record("skill_served", { skill_path: served.entry.listedAs, via: "resource" });
  }
  const origin = fileProvenance(served.entry.skill, () => sha256Of(bytes));
  return {
    ...contentsOf(uri, resourceTypeOf(file.names.at(-1) ?? ""), bytes),
    ...(origin === undefined ? {} : { _meta: { [PROVENANCE]: origin } }),
  };
}

/** The file of a skill that a URI names. */
export async function findSkillFile(
  uri: string,
  skills: Pick<SnapshotSource, "snapshot">,
): Promise<{ readonly served: ServedSkill; readonly file: SkillFile } | undefined> {
  const located = await locateInSkill(uri, skills);
  if (located === undefined) return undefined;
  const found = await findInSkill(located.served.entry.skill, located.names);
  return found?.kind === "file" ? { served: located.served, file: found.file } : undefined;
}

/** The skill that a URI names, and the names on the disk of the file or folder below it, which need not exist. */
export async function locateInSkill(
  uri: string,
  skills: Pick<SnapshotSource, "snapshot">,
): Promise<{ readonly served: ServedSkill; readonly names: readonly string[] } | undefined> {
  const address = parseResourceUri(uri);
  if (address?.scheme !== SKILL_SCHEME) return undefined;
  const { byRoot, byName } = servedSkills((await skills.snapshot()).catalog);
  const { root, names } = splitSkillAddress(address);
  const served = byRoot.get(root ?? "");
  if (served !== undefined) return { served, names: namesOnDisk(served.entry.skill, names) };
  const [name = "", ...below] = address.parts;
  const named = byName.get(nameKey(name));
  return named === undefined ? undefined : { served: named, names: namesOnDisk(named.entry.skill, below) };
}

async function readLibrary(
  uri: string,
  parts: readonly string[],
  skills: ReadableSkills,
): Promise<Contents | undefined> {
  const target = libraryTarget((await skills.snapshot()).library, parts);
  if (target === undefined) return undefined;
  const { skillPath } = target;
  if (target.kind === "skill") {
    const text = await skills.library.readContent(skillPath);
    skills.record("skill_served", { skill_path: skillPath, via: "resource" });
    return { uri, mimeType: MARKDOWN, text };
  }
  try {
    const { content, content_base64: blob = "" } = await skills.library.getAsset({
      skillPath,
      file: target.file,
    });
    const mimeType = resourceTypeOf(target.file);
    return content === undefined ? { uri, mimeType, blob } : { uri, mimeType, text: content };
  } catch (error) {
    if (isUnknown(error)) return undefined;
    throw error;
  }
}

function isUnknown(error: unknown): boolean {
  if (!(error instanceof Refusal) || error.detail.code !== "library") return false;
  return ["unknown-file", "unknown-path", "path-traversal", "hidden-file"].includes(error.detail.reason);
}

/** Text where all bytes are UTF-8, else base64. */
function contentsOf(uri: string, mimeType: string, bytes: Buffer): Contents {
  return isUtf8(bytes)
    ? { uri, mimeType, text: bytes.toString("utf8") }
    : { uri, mimeType, blob: bytes.toString("base64") };
}
