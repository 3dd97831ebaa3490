import type { HubLimits } from '#libs/signalr';

/** Larger than the default: agents send lists of a hundred entries with long paths, and viewers send pieces of files. */
export const HUB_LIMITS: Partial<HubLimits> = { maximumMessageSize: 1_048_576 };
