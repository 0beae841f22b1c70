import { setTimeout as sleep } from "node:timers/promises";
import { grouped, largeSize, type Section } from "../bench.ts";
import { HAS_PROCESS_FIGURES, processorTime, untilQuiet } from "../process-figures.ts";
import { rowOf } from "../report/row.ts";
import { EMPTY_SDK_NAME, EMPTY_SDK_SERVER, ourServer } from "../servers.ts";
import { startServer } from "../stdio-client.ts";

const SECTION = "At rest";

/** Processor time that servers take while nobody asks anything, the periodic looks at the disk included. */
export const measureIdle: Section = async (bench) => {
  if (!HAS_PROCESS_FIGURES) return [];
  const { workspace, options, progress } = bench;
  const seconds = options.idleSeconds;
  const sizes = [...new Set([Math.min(10, largeSize(bench)), largeSize(bench)])];
  const sdk = startServer(EMPTY_SDK_SERVER, workspace);
  const ours = sizes.map((size) =>
    startServer(ourServer(options.bin, workspace.readOnlyCorpus(size).dir), workspace),
  );
  const servers = [sdk, ...ours];
  try {
    await Promise.all(servers.map((server) => server.initialize()));
    await Promise.all(servers.map((server) => server.request("tools/list", {})));
    await Promise.all(servers.map((server) => untilQuiet(server.pid)));
    progress(`idle: ${seconds} s`);
    const before = servers.map((server) => processorTime(server.pid));
    await sleep(seconds * 1_000);
    const spent = servers.map((server, index) => processorTime(server.pid) - (before[index] ?? 0));
    return sizes.map((size, index) =>
      rowOf(SECTION, {
        id: `idle.${size}`,
        name: `processor time in ${seconds} s, ${grouped(size)} skills`,
        unit: "ms",
        floorName: EMPTY_SDK_NAME,
        samples: { ours: [spent[index + 1] ?? Number.NaN], floor: [spent[0] ?? Number.NaN] },
      }),
    );
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
};
