import { DARWIN } from "./darwin.ts";
import { LINUX } from "./linux.ts";
import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";
import { WIN32 } from "./win32.ts";

/** Every system that is known, for tests of what happens on another one. */
export const PLATFORMS = { linux: LINUX, darwin: DARWIN, win32: WIN32 } as const;

const known: Readonly<Partial<Record<NodeJS.Platform, Platform>>> = PLATFORMS;

/** The system that this program runs on. Nothing else asks which one that is. */
export const platform: Platform = known[process.platform] ?? { ...POSIX, name: process.platform };
