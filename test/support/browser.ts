import { existsSync } from "node:fs";

/** The shell first: the same engine without a window, which takes half the time. */
const PLACES = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Where chromium is, or undefined where there is none. */
export const CHROMIUM = PLACES.find((place) => place !== "" && existsSync(place));
