/** Paths that supervisors and balancers ask all the time: answered whatever else an address asks for, and left out of the log. */
export const PROBE_PATHS: ReadonlySet<string> = new Set(['/health', '/health/ready', '/alive']);
