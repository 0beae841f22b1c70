// The frames of a page while something happens, from Chromium's trace.
// The work of a frame is the processor time that the page's main thread, the compositor, raster and the display took from the
// start of one frame to the start of the next, added up as if all of it ran on one core: what other processes take is not in it.
// The time of a frame by the clock is what a person waits, and includes them.

/** `toplevel` has the tasks of every thread, `cc` raster, `blink.user_timing` the marks that say where frames begin. */
const CATEGORIES = ["toplevel", "cc", "blink.user_timing"];
/** Threads that a frame passes through, besides the workers that raster. Others compile or collect garbage beside it. */
const THREADS = new Set(["CrRendererMain", "Compositor", "VizCompositorThread", "CrGpuMain"]);
const MARK = "skills-mcp frame";

/** One `{ workMs, clockMs }` for each frame of the page while `action` runs. */
export async function recordFrames(browser, page, action) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.evaluate((mark) => {
    globalThis.isRecording = true;
    const next = () => {
      performance.mark(mark);
      if (globalThis.isRecording) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }, MARK);
  await action();
  await page.evaluate(async () => {
    globalThis.isRecording = false;
    await new Promise(requestAnimationFrame);
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8"));
  return framesOf(traceEvents);
}

function framesOf(events) {
  const threads = new Map(
    events
      .filter(({ name }) => name === "thread_name")
      .map(({ pid, tid, args }) => [`${pid} ${tid}`, args.name]),
  );
  const threadOf = ({ pid, tid }) => threads.get(`${pid} ${tid}`) ?? "";
  const marks = events.filter(({ name }) => name === MARK).sort((a, b) => a.ts - b.ts);
  const page = marks[0]?.pid;
  const tasks = events.filter(
    (event) =>
      event.tdur !== undefined &&
      (event.pid === page || !threadOf(event).startsWith("CrRenderer")) &&
      (event.name === "TaskGraphRunner::RunTask" ||
        (event.name === "ThreadControllerImpl::RunTask" && THREADS.has(threadOf(event)))),
  );
  const mains = tasks.filter((task) => task.pid === page && threadOf(task) === "CrRendererMain");
  // A mark is in the middle of its frame's task: what that task did before is part of the frame.
  const starts = marks.map(
    ({ ts }) => mains.find((task) => task.ts <= ts && ts <= task.ts + task.dur)?.ts ?? ts,
  );
  return starts.slice(1).map((end, index) => {
    const start = starts[index];
    const within = tasks.filter(({ ts }) => ts >= start && ts < end);
    return {
      workMs: within.reduce((sum, { tdur }) => sum + tdur, 0) / 1000,
      clockMs: (end - start) / 1000,
    };
  });
}
