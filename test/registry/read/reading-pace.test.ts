import { expect, test } from "vitest";
import { createReadingPace } from "../../../src/registry/read/reading-pace.ts";

/** A pace whose clock only moves when told to. */
function paceAt() {
  let time = 0;
  const pace = createReadingPace(() => time);
  return {
    pace,
    pass(ms: number): void {
      time += ms;
    },
  };
}

test("files are read synchronously for as long as the disk is quick", () => {
  const { pace, pass } = paceAt();
  for (let reading = 0; reading < 100; reading++) {
    expect(pace.isQuick()).toBe(true);
    pass(1);
    pace.took(1);
  }
});

test("after a slow reading the thread pool is used for a while, each time for longer", () => {
  const { pace, pass } = paceAt();
  for (const pause of [1_000, 4_000, 16_000]) {
    pace.took(50);
    pass(pause - 1);
    expect(pace.isQuick()).toBe(false);
    pass(1);
    expect(pace.isQuick()).toBe(true);
  }
});

test("a disk that has been quick for long is trusted as at first", () => {
  const { pace, pass } = paceAt();
  for (let hold = 0; hold < 3; hold++) {
    pace.took(50);
    pass(16_000);
  }
  pass(64_001);
  pace.took(1);
  pace.took(50);
  pass(1_000);
  expect(pace.isQuick()).toBe(true);
});
