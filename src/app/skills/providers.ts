/** The agents whose folders are searched, and the provider of library skills, for the edges. */
export { AGENTS, LIBRARY_PROVIDER } from "../../registry/roots/agents.ts";
