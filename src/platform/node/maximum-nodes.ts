/** Most nodes that a list of nodes has: more than a real installation. */
export const MAXIMUM_NODES = 256;
