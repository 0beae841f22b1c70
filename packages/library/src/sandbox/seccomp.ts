/** The numbers of system calls that scripts have no use for, by processor: [x64, arm64]. */
const DENIED: Readonly<Record<string, readonly [x64: number | undefined, arm64: number | undefined]>> = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // Parts of the kernel that escapes often began in.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  // The machine itself.
  syslog: [103, 116],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  iopl: [172, undefined],
  ioperm: [173, undefined],
};

/** From linux/audit.h, linux/bpf_common.h and linux/seccomp.h. */
const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const NUMBER_OFFSET = 0;
/** The lower half of the first argument. */
const ARGUMENT_OFFSET = 16;
const ARCHITECTURE_OFFSET = 4;
const ALLOW = 0x7fff_0000;
const FAIL_WITH_EPERM = 0x0005_0001;
/** Numbers from here on are x64's second table of calls, with 32-bit pointers. */
const X32 = 0x4000_0000;

const SOCKET = { x64: 41, arm64: 198 } as const;
const AF_UNIX = 1;

/**
 * A seccomp program for `bwrap --seccomp`: the calls above, and those of other architectures, fail with EPERM. Undefined for a
 * processor that it is not written for.
 *
 * With the network, a script shares the names of the machine's abstract sockets, behind which other programs listen, so sockets
 * of that family fail too. Pairs of them (`socketpair`) have no name, and work.
 */
export function seccompProgram(
  processor: string,
  { network = false }: { readonly network?: boolean } = {},
): Buffer | undefined {
  if (processor !== "x64" && processor !== "arm64") return undefined;
  const numbers = Object.values(DENIED).flatMap(([x64, arm64]) => (processor === "x64" ? x64 : arm64) ?? []);
  const families = network
    ? [
        instruction(JUMP_IF_EQUAL, SOCKET[processor], 0, 2),
        instruction(LOAD, ARGUMENT_OFFSET),
        instruction(JUMP_IF_EQUAL, AF_UNIX, 1, 0),
      ]
    : [];
  // After the tests come two instructions: allow, and fail. A jump counts the instructions that it skips.
  const rest = numbers.length + families.length;
  const tests = numbers.map((number, index) => instruction(JUMP_IF_EQUAL, number, rest - index, 0));
  return Buffer.concat([
    instruction(LOAD, ARCHITECTURE_OFFSET),
    instruction(JUMP_IF_EQUAL, ARCHITECTURES[processor], 0, rest + 3),
    instruction(LOAD, NUMBER_OFFSET),
    instruction(JUMP_IF_AT_LEAST, X32, rest + 1, 0),
    ...tests,
    ...families,
    instruction(RETURN, ALLOW),
    instruction(RETURN, FAIL_WITH_EPERM),
  ]);
}

/** `struct sock_filter`. */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
