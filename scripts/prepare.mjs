// What npm runs before `npm install -g .` links the command of a clone: without dist/ it would link nothing, and say nothing.
import { ensureBuilt } from "./bootstrap.mjs";

if (process.env.npm_config_global === "true") ensureBuilt();
