const VERSION = /^\d{1,9}(\.\d{1,9}){1,3}$/;
const PARTS = 4;

/** Whether the text is a version of two to four numbers. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/**
 * Whether a device runs another agent than the server hands out: both versions are known and differ, also when the agent
 * is newer. Parts that are left out count as zero.
 */
export function isOutdated(agentVersion: string, serverAgentVersion: string | null): boolean {
  if (serverAgentVersion === null || agentVersion === serverAgentVersion) return false;
  if (!isVersion(agentVersion) || !isVersion(serverAgentVersion)) return false;
  const [agent, server] = [partsOf(agentVersion), partsOf(serverAgentVersion)];
  return agent.some((part, at) => part !== server[at]);
}

function partsOf(version: string): number[] {
  const parts = version.split('.').map(Number);
  return [...parts, ...Array<number>(PARTS - parts.length).fill(0)];
}
