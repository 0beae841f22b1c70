import { describe, expect, test } from "vitest";
import { seccompProgram } from "../../src/sandbox/seccomp.ts";

const ALLOWED = 0x7fff_0000;
const REFUSED = 0x0005_0001;
const X64 = 0xc000_003e;
const ARM64 = 0xc000_00b7;
const I386 = 0x4000_0003;

/** Runs a program as the kernel does, on the number, the architecture and the first argument of a call. */
function decide(program: Buffer, number: number, architecture: number, argument = 0): number {
  const data = [number, architecture, 0, 0, argument];
  let value = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const offset = at * 8;
    const [code, operand] = [program.readUInt16LE(offset), program.readUInt32LE(offset + 4)];
    const [ifTrue, ifFalse] = [program.readUInt8(offset + 2), program.readUInt8(offset + 3)];
    if (code === 0x06) return operand;
    if (code === 0x20) value = data[operand / 4] ?? Number.NaN;
    else if (code === 0x15) at += value === operand ? ifTrue : ifFalse;
    else if (code === 0x35) at += value >= operand ? ifTrue : ifFalse;
    else throw new Error(`An unknown instruction: ${code}.`);
  }
  throw new Error("The program ends without a decision.");
}

describe("the system calls that fail in a sandbox", () => {
  /** From the kernel's tables: read, openat, execve, clone, clone3, memfd_create, landlock_create_ruleset. */
  const needed = { x64: [0, 257, 59, 56, 435, 319, 444], arm64: [63, 56, 221, 220, 435, 279, 444] } as const;
  /** ptrace, mount, unshare, bpf, keyctl, io_uring_setup, open_by_handle_at, kexec_load. */
  const denied = {
    x64: [101, 165, 272, 321, 250, 425, 304, 246],
    arm64: [117, 40, 97, 280, 219, 425, 265, 104],
  } as const;

  test.each([
    ["x64", X64],
    ["arm64", ARM64],
  ] as const)("are those of the table on %s, and no others", (processor, architecture) => {
    const program = seccompProgram(processor) ?? Buffer.alloc(0);
    const all = Array.from({ length: 1024 }, (_, number) => decide(program, number, architecture));
    for (const number of needed[processor]) expect([number, all[number]]).toEqual([number, ALLOWED]);
    for (const number of denied[processor]) expect([number, all[number]]).toEqual([number, REFUSED]);
    expect(new Set(all)).toEqual(new Set([ALLOWED, REFUSED]));
    expect(all.filter((decision) => decision === REFUSED).length).toBe(processor === "x64" ? 49 : 47);
  });

  test("are all of another architecture, and of the second table of x64", () => {
    const program = seccompProgram("x64") ?? Buffer.alloc(0);
    for (const number of [0, 1, 59, 1000]) {
      expect(decide(program, number, I386)).toBe(REFUSED);
      expect(decide(program, number, ARM64)).toBe(REFUSED);
      expect(decide(program, 0x4000_0000 + number, X64)).toBe(REFUSED);
    }
  });

  test.each([
    ["x64", X64, 41, 53],
    ["arm64", ARM64, 198, 199],
  ] as const)(
    "are, with the network on %s, also sockets that lead to this machine's programs",
    (processor, architecture, socket, pair) => {
      const program = seccompProgram(processor, { network: true }) ?? Buffer.alloc(0);
      const [unix, ip, ip6] = [1, 2, 10];
      expect(decide(program, socket, architecture, unix)).toBe(REFUSED);
      for (const family of [ip, ip6]) expect(decide(program, socket, architecture, family)).toBe(ALLOWED);
      expect(decide(program, pair, architecture, unix)).toBe(ALLOWED);
      const without = seccompProgram(processor) ?? Buffer.alloc(0);
      expect(decide(without, socket, architecture, unix)).toBe(ALLOWED);
      for (let number = 0; number < 1024; number++)
        expect(decide(program, number, architecture)).toBe(decide(without, number, architecture));
      expect(decide(program, 0, I386)).toBe(REFUSED);
      expect(decide(program, 0x4000_0000, architecture)).toBe(REFUSED);
    },
  );

  test("are unknown for other processors", () => {
    expect(seccompProgram("ppc64")).toBeUndefined();
  });
});
