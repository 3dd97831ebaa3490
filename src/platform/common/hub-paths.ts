/** Where device agents connect. */
export const AGENT_HUB_PATH = '/hubs/agent';

/** Where viewers connect. */
export const VIEWER_HUB_PATH = '/hubs/viewer';
