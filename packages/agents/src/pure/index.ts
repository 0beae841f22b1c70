export { connectJson, connectLines, connectLink } from "../connect/connect-lines.ts";
