// Stands in for git under Wine: Linux' git with the same arguments.
//   node.exe git.mjs <port of the bridge> <arguments of git …>
import { toLinux } from "./paths.mjs";
import { relay } from "./relay.mjs";

const [port, ...args] = process.argv.slice(2);
const environment = Object.entries(process.env).map(([name, value]) => [name, fromWindows(value)]);
relay(
  port,
  {
    args: args.map(fromWindows),
    cwd: fromWindows(process.cwd()),
    environment: Object.fromEntries(environment),
  },
  {
    stdin: (send) => ({ write: send, end: () => {} }),
    stdout: (data) => process.stdout.write(data),
    stderr: (data) => process.stderr.write(data),
    flush: () => {},
  },
);

/** git on Windows takes both kinds of slashes, and NUL for a file that is empty. */
function fromWindows(text) {
  return toLinux(text)
    .replaceAll(/\bZ:(?=\/)/g, "")
    .replaceAll(/\\\\[.?]\\nul\b/gi, "/dev/null");
}
