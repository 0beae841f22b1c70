// Stands in for Node on Linux: Windows' Node with the same arguments. The end-to-end tests know folders of Linux only, so paths are
// translated on the way.
//   node launch.mjs <port of the bridge> <arguments of Node …>
import { linesOf, messageToWindows, toLinux, toWindows, windowsEnvironment } from "./paths.mjs";
import { relay } from "./relay.mjs";

const [port, ...args] = process.argv.slice(2);
const stdout = linesOf((line) => process.stdout.write(toLinux(String(line))));
const stderr = linesOf((line) => process.stderr.write(toLinux(String(line))));
relay(
  port,
  {
    args: args.map(toWindows),
    cwd: toWindows(process.cwd()),
    environment: windowsEnvironment(process.env),
  },
  {
    stdin: (send) => linesOf((line) => send(messageToWindows(line))),
    stdout: stdout.write,
    stderr: stderr.write,
    flush() {
      stdout.end();
      stderr.end();
    },
  },
);
