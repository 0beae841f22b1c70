import path from "node:path";
import { beforeEach } from "vitest";
import { whySkipped } from "./windows-skips.ts";

// Set up by vitest.config.ts before each file that `npm run check:windows` runs.
beforeEach(({ task, skip }) => {
  const why = whySkipped(path.basename(task.file.filepath, ".test.ts"), task.fullTestName);
  if (why !== undefined) skip(why);
});
