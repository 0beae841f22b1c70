// Loaded into the built bin with `--import`. Kills the process at one of its file calls, with that call half done, and moves its clock.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

/** The number of the call, counted among those of a name such as `rename`, or among all. */
const killAt = Number(process.env["DISTURB_KILL_AT"] ?? 0);
const killIn = process.env["DISTURB_KILL_IN"] ?? "";
const clockMs = Number(process.env["DISTURB_CLOCK_MS"] ?? 0);
const own = {
  copyFileSync: fs.copyFileSync,
  mkdirSync: fs.mkdirSync,
  readdirSync: fs.readdirSync,
  unlinkSync: fs.unlinkSync,
  writeFileSync: fs.writeFileSync,
};

/** What a kill in the middle of a call leaves. A rename and the like are done whole or not at all. */
const HALF_DONE = {
  cp: (from, to) => {
    own.mkdirSync(to, { recursive: true });
    const file = firstFile(from);
    if (file !== undefined) own.copyFileSync(file, path.join(to, path.basename(file)));
  },
  rm: (place, options) => {
    const file = options?.recursive === true ? firstFile(place) : undefined;
    if (file !== undefined) own.unlinkSync(file);
  },
  writeFile: (file, content, options) => {
    if (typeof file !== "string" || typeof content !== "string") return;
    own.writeFileSync(file, content.slice(0, content.length / 2), options);
  },
};

function firstFile(folder) {
  const entries = own.readdirSync(folder, { recursive: true, withFileTypes: true });
  const file = entries.find((entry) => entry.isFile());
  return file === undefined ? undefined : path.join(file.parentPath, file.name);
}

const CALLS =
  "appendFile chmod copyFile cp link mkdir mkdtemp open rename rm rmdir symlink truncate unlink utimes writeFile".split(
    " ",
  );
let calls = 0;

function disturbed(name, call) {
  return (...args) => {
    if ((killIn === "" || killIn === name) && ++calls === killAt) {
      try {
        HALF_DONE[name]?.(...args);
      } catch {
        // It would have failed; then it is killed before.
      }
      process.kill(process.pid, "SIGKILL");
      // The signal may take a moment to arrive.
      for (;;);
    }
    return call(...args);
  };
}

if (killAt > 0) {
  for (const name of CALLS) {
    fs.promises[name] = disturbed(name, fs.promises[name]);
    fs[`${name}Sync`] = disturbed(name, fs[`${name}Sync`]);
  }
}

if (clockMs !== 0) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + clockMs);
      else super(...args);
    }
    static now() {
      return RealDate.now() + clockMs;
    }
  };
}

syncBuiltinESMExports();
