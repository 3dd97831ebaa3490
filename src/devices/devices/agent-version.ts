import { parseVersion } from '../../platform/common/identifiers/version.js';

/**
 * Checks that a device runs another agent than the server hands out: both versions are known and differ, also when the agent
 * is newer.
 */
export function isOutdated(agentVersion: string, serverAgentVersion: string | null): boolean {
  if (serverAgentVersion === null || agentVersion === serverAgentVersion) return false;
  const agent = parseVersion(agentVersion);
  const server = parseVersion(serverAgentVersion);
  return agent !== null && server !== null && agent.some((part, at) => part !== server[at]);
}
