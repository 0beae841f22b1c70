// Runs a server, `heap-server.cjs <file> …arguments`: on SIGUSR2 it writes the bytes of V8's heap in use after a garbage collection to the
// file HEAP_FILE. Flags of Node would turn the server's code cache off, so the collector is made callable at the signal.
const { renameSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

process.argv.splice(1, 1);
process.on("SIGUSR2", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  // Twice, because finalizers of the first one release more.
  collect();
  setImmediate(() => {
    collect();
    const file = process.env.HEAP_FILE;
    writeFileSync(`${file}.tmp`, String(process.memoryUsage().heapUsed));
    renameSync(`${file}.tmp`, file);
  });
});
const [, server] = process.argv;
if (server.endsWith(".mjs")) void import(server);
else require(server);
