import { isUtf8 } from "node:buffer";
import { describeError, errorCode, lstat, realpath, withOpenFile } from "#util";

/** Bytes of the largest file that is read: far more than any settings need. */
const LARGEST_CONFIG = 1024 * 1024;

export type ConfigFileReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/**
 * The text of a config file; undefined when there is none. People link to their own files; in a library from git or a project
 * a link could lead anywhere, so it is not followed.
 */
export async function readConfigFile(
  file: string,
  { followLinks, where = "a library from git" }: { readonly followLinks: boolean; readonly where?: string },
): Promise<ConfigFileReading | undefined> {
  try {
    return await readRegularFile(followLinks ? await realpath(file) : file);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOTDIR" || (code === "ENOENT" && !(await isThere(file)))) return undefined;
    if (code === "ENOENT") return failed("it is a link to a file that does not exist");
    if (code === "ELOOP" && !followLinks)
      return failed(`it is a link, and links are not followed in ${where}`);
    return failed(describeError(error));
  }
}

function readRegularFile(file: string): Promise<ConfigFileReading> {
  return withOpenFile(file, async ({ stats, readStart }): Promise<ConfigFileReading> => {
    if (!stats.isFile()) return failed("it is not a regular file");
    if (stats.size > LARGEST_CONFIG) return failed("the file is larger than 1 MiB");
    const bytes = await readStart(stats.size);
    return isUtf8(bytes)
      ? { ok: true, text: bytes.toString("utf8") }
      : failed("it is not UTF-8 text; save it again with the UTF-8 encoding");
  });
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function failed(reason: string): ConfigFileReading {
  return { ok: false, message: `The file cannot be read: ${reason}.` };
}
