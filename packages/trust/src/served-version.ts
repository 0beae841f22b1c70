import path from "node:path";
import type { Diagnostic, LibraryFile, ReviewCandidate, Skill, SkillViewOptions } from "#skills";
import { createLibraryScanner, createSkillScanner, fingerprintText } from "#skills";
import { createTimeSlices, POOLED_DISK } from "#util";
import { defined } from "#util/pure";
import type { Approval } from "./approved/approvals.ts";
import type { ApprovedCopies } from "./approved/approved-copies.ts";
import { copyName } from "./candidate.ts";

/** An approved version as the registry would have found it. */
export interface ServedVersion {
  readonly skill?: Skill;
  readonly library?: LibraryFile;
  readonly fingerprint: string;
  readonly hasFiles: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Its files, absolute: a change of one of them means that it has to be checked again. */
  readonly files: readonly string[];
}

interface ReadingOptions {
  readonly copies: ApprovedCopies;
  readonly reading: NonNullable<SkillViewOptions["reading"]>;
  readonly now: () => number;
}

/** Reads approved versions. The very same value for as long as the version and its surroundings are the same. */
export function createServedVersions(options: ReadingOptions) {
  const known = new Map<string, ServedVersion>();
  return async (
    key: string,
    candidate: ReviewCandidate,
    approval: Approval,
  ): Promise<ServedVersion | undefined> => {
    const copy = await options.copies.folderOf(key, approval.digest, copyName(candidate));
    if (copy === undefined) return undefined;
    const id = JSON.stringify([key, approval, aroundIt(candidate)]);
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const files = Object.keys(copy.files).map((name) => path.join(copy.folder, ...name.split("/")));
    const version =
      candidate.kind === "skill"
        ? await skillVersion(candidate, approval, copy.folder, files, options)
        : await libraryVersion(candidate, approval, copy.folder, files, options);
    if (version !== undefined) known.set(id, version);
    return version;
  };
}

/** What a version has from the place that it was found in, and not from its files. */
function aroundIt(candidate: ReviewCandidate): readonly unknown[] {
  if (candidate.kind === "library")
    return [candidate.path, candidate.file.location, candidate.file.filePath, candidate.repo?.url];
  const { provider, location, label, dir, repo } = candidate.skill;
  return [provider, location, label, dir, repo?.url, repo?.path];
}

async function skillVersion(
  { skill }: ReviewCandidate & { readonly kind: "skill" },
  approval: Approval,
  folder: string,
  files: readonly string[],
  { reading, now }: ReadingOptions,
): Promise<ServedVersion | undefined> {
  const { provider, location, label, repo } = skill;
  const root = { dir: path.dirname(folder), provider, location, named: false };
  const scan = createSkillScanner(root, { reading, now });
  const { results } = await scan({ disk: POOLED_DISK, slices: createTimeSlices() });
  // Skills inside of it are files of it.
  const found = results.find((result) => result.skill?.dir === folder && !result.isDisabled);
  if (found?.skill === undefined || found.cached === undefined) return undefined;
  const { plugin: _plugin, label: _label, repo: _repo, ...rest } = found.skill;
  const commit = approval.commit ?? repo?.commit ?? "";
  return {
    skill: {
      ...rest,
      ...defined({ plugin: approval.plugin, repo: repo && { ...repo, commit }, label }),
      approved: { digest: approval.digest, from: skill.dir },
    },
    fingerprint: fingerprintText(found.cached),
    hasFiles: files.length > 1,
    diagnostics: found.diagnostics,
    files,
  };
}

async function libraryVersion(
  { file: { location, filePath }, repo }: ReviewCandidate & { readonly kind: "library" },
  approval: Approval,
  folder: string,
  files: readonly string[],
  { reading, now }: ReadingOptions,
): Promise<ServedVersion | undefined> {
  const scan = createLibraryScanner({
    libraries: [{ dir: folder, location, prefix: "", named: false }],
    reading,
    now,
  });
  const [scanned] = await scan();
  const found = scanned?.files.find((file) => file.filePath === path.posix.basename(filePath));
  if (scanned === undefined || found === undefined) return undefined;
  return {
    library: {
      ...found,
      filePath,
      approved: approval.digest,
      ...defined({ repo: repo && { ...repo, commit: approval.commit ?? repo.commit } }),
    },
    fingerprint: scanned.fingerprints.get(found) ?? "",
    hasFiles: files.length > 1,
    diagnostics: scanned.diagnostics,
    files,
  };
}
