export { clientLines, clientOf, configOf } from "../connect/client-lines.ts";
