export { connectJson, connectLines } from "../connect/connect-lines.ts";
