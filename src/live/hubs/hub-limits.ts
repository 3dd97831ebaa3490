import type { HubLimits } from '#libs/signalr';

import { LONGEST_WAY_MS } from '../../devices/device-link/call-age.js';

/** Larger than the default: agents send lists of a hundred entries with long paths, and viewers send pieces of files. */
export const HUB_LIMITS: Partial<HubLimits> = { maximumMessageSize: 1_048_576 };

/**
 * A file for a device comes through the same socket as everything else of its viewer. A device that does not begin to fetch it must not
 * hold that up: honest ones begin after one round trip. A viewer with stateful reconnect acknowledges what it got once a second, so that
 * the replay buffer holds all that can be sent to it in that time. A flooded terminal may exceed its share; few are flooded at once.
 */
export const VIEWER_HUB_LIMITS: Partial<HubLimits> = {
  ...HUB_LIMITS,
  unreadStreamMs: 5_000,
  replayBufferSize: 1_048_576,
  replayBurstSize: 8_388_608,
  sharedReplaySize: 67_108_864,
  maximumUnsentBytes: 12_582_912,
};

/**
 * Limits for agents, which connect without a credential. Connections that have not reported for a registered device yet are limited by
 * address. A whole company may sit behind one address: agents report as soon as they are connected, so that thousands of them get through
 * within seconds, and those that come too early try again. An agent whose reports are refused makes room for others after a minute.
 * A process that stood still between sending a call and handing it to the network must not carry it out late.
 */
export const AGENT_HUB_LIMITS: Partial<HubLimits> = {
  ...HUB_LIMITS,
  maximumUnauthenticatedPerSource: 1_000,
  unauthenticatedTimeoutMs: 60_000,
  longestPauseMs: LONGEST_WAY_MS,
};
