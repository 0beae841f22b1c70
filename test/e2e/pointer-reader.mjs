// Reads a library through the link to its current version, again and again until stdin ends: `node <this> <link>`.
// Every file says `commit <number> of <how many files the commit has> files`. Then prints what it saw.
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

const [pointer = ""] = process.argv.slice(2);
const torn = [];
const commits = new Set();
let reads = 0;
readOnce();
process.stdout.write("reading\n");
const timer = setInterval(readOnce, 10);
await once(process.stdin.resume(), "end");
clearInterval(timer);
readOnce();
process.stdout.write(JSON.stringify({ reads, commits: commits.size, last: [...commits].at(-1), torn }));

function readOnce() {
  reads++;
  try {
    const folder = path.resolve(path.dirname(pointer), readlinkSync(pointer));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"));
    const marks = new Set(files.map((text) => /^commit \d+ of \d+ files$/m.exec(text)?.[0]));
    const [mark = ""] = marks;
    commits.delete(mark);
    commits.add(mark);
    if (marks.size !== 1 || !mark.endsWith(` of ${files.length} files`))
      torn.push(`${folder}: ${files.length} files, ${[...marks].join(" | ")}`);
  } catch (error) {
    torn.push(String(error));
  }
}
