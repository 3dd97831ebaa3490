/** The path at which the two sides of a remote session connect. */
export const RELAY_PATH = '/relay';
