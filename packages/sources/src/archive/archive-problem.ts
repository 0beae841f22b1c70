import type { FetchLimits } from "../fetch/limits.ts";

/** Why an archive is refused. The message is a phrase that follows the archive's name and names the entry. */
export class ArchiveProblem extends Error {
  readonly reason: "unsafe" | "broken" | "too-large";

  constructor(reason: "unsafe" | "broken" | "too-large", message: string) {
    super(message);
    this.name = "ArchiveProblem";
    this.reason = reason;
  }
}

/** A name of an archive or a site, for a message: short, and without control characters. */
export function shownName(name: string): string {
  const plain = name.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2028\u2029]/g, "?");
  return `'${plain.length > 80 ? `${plain.slice(0, 79)}…` : plain}'`;
}

/** The size of a file, if it is within the limit. */
export function checkSize(path: string, size: number, { fileBytes }: FetchLimits): number {
  if (size <= fileBytes) return size;
  throw new ArchiveProblem(
    "too-large",
    `has a file of ${mebibytes(size)}, ${shownName(path)}; the limit is ${mebibytes(fileBytes)}`,
  );
}

export function tooLarge({ totalBytes }: FetchLimits): ArchiveProblem {
  return new ArchiveProblem("too-large", `unpacks to more than the limit of ${mebibytes(totalBytes)}`);
}

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
