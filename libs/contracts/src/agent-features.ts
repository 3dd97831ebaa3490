/**
 * Methods of the agent's client that only some agents serve: those that say so with `OfferFeatures`. The others are never called with them.
 */
export const AGENT_FEATURES = ['RenameFile', 'RequestInventory'] as const;
export type AgentFeature = (typeof AGENT_FEATURES)[number];
