import type { AgentMethods } from './agent-calls.js';
import type { ViewerMethods } from './viewer-calls.js';

/** The calls between nodes. */
export type ServiceMethods = AgentMethods & ViewerMethods;
