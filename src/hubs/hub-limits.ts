import type { HubLimits } from '#libs/signalr';

/** Agents send lists of a hundred entries with long paths, and viewers send pieces of files: both are larger than the default allows. */
export const HUB_LIMITS: Partial<HubLimits> = { maximumMessageSize: 1_048_576 };
