/** Path at which device agents connect. */
export const AGENT_HUB_PATH = '/hubs/agent';

/** Path at which viewers connect. */
export const VIEWER_HUB_PATH = '/hubs/viewer';
