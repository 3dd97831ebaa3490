import type { AgentMethods } from './agents/agent-calls.js';
import type { ViewerMethods } from './viewers/viewer-calls.js';

/** The calls between nodes about sessions of the relay. */
type RelayMethods = {
  /** `[session, node]`: that node takes the session home → false if both halves are connected at the asked node */
  readonly HandOver: { readonly args: [string, string]; readonly answer: boolean };
};

/** The calls between nodes. */
export type ServiceMethods = AgentMethods & RelayMethods & ViewerMethods;
