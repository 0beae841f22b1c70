import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** The absolute path of a program, looked up in the folders of `searchPath` as a shell would; or undefined. */
export function findProgram(name: string, searchPath: string, platform: NodeJS.Platform): string | undefined {
  // A batch file cannot be started without a shell, so on Windows only real programs count.
  const endings = platform === "win32" && path.extname(name) === "" ? [".exe", ".com"] : [""];
  const folders = path.isAbsolute(name) ? [""] : searchPath.split(path.delimiter);
  for (const folder of folders) {
    // An empty or relative entry means the working folder, which is whatever a client asked for.
    if (folder !== "" && !path.isAbsolute(folder)) continue;
    if (folder === "" && !path.isAbsolute(name)) continue;
    for (const ending of endings) {
      const file = folder === "" ? `${name}${ending}` : path.join(folder, `${name}${ending}`);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
