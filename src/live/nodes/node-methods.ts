import type { AgentMethods } from './agent-calls.js';

/** The calls between nodes. */
export type ServiceMethods = AgentMethods;
