// Starts the command line from source, as dist/cli.js starts a bundle of it.
import { main } from "../../packages/cli/src/main.ts";

main(undefined);
