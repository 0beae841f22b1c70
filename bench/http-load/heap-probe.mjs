// Loaded into either server under load: reports the heap in use after a forced garbage collection.
process.on("message", () => {
  // Twice, because finalizers of the first one release more.
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    process.send?.(process.memoryUsage().heapUsed);
  });
});
process.channel?.unref();
