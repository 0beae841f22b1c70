// Loaded into a server under load, whichever it is: tells what it still holds once all garbage is gone.
process.on("message", () => {
  // Twice, because finalizers that the first one runs let go of more.
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    process.send?.(process.memoryUsage().heapUsed);
  });
});
process.channel?.unref();
