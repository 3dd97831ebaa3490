import type { DeviceActivity } from '../../../api/devices/device-activity.js';

/** Kinds of sessions: the record of one goes on in another when its line breaks, or its page is loaded again. */
const SESSIONS: ReadonlySet<string> = new Set(['Recording', 'Relay', 'RemoteControl', 'Terminal', 'Vnc']);
/** Longest pause within one session, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * One record for each session, newest first as those that are given: records of the same person at the same address that follow one
 * another closely are one, with its begin, its end and all bytes. A session that failed stands for itself.
 */
export function sessionsOf(records: readonly DeviceActivity[]): DeviceActivity[] {
  const sessions: DeviceActivity[] = [];
  /** Index of the session that an earlier record may have begun, by who had it. */
  const open = new Map<string, number>();
  for (const record of records) {
    const who = whoOf(record);
    const index = open.get(who);
    const later = index === undefined ? undefined : sessions[index];
    if (index !== undefined && later !== undefined && isBegunBy(later, record)) sessions[index] = joined(record, later);
    else if (SESSIONS.has(record.kind)) open.set(who, sessions.push(record) - 1);
    else sessions.push(record);
  }
  return sessions;
}

const whoOf = ({ kind, principalKind, principalId, principalName, ipAddress, sessionCorrelationId }: DeviceActivity): string =>
  JSON.stringify([kind, principalKind, principalId, principalName, ipAddress, sessionCorrelationId]);

/** True if the earlier record ended shortly before the later one began. Two that run side by side are two sessions. */
function isBegunBy(later: DeviceActivity, earlier: DeviceActivity): boolean {
  if (earlier.endedAt === null || earlier.outcome === 'Failed' || later.outcome === 'Failed') return false;
  const pause = Date.parse(later.startedAt) - Date.parse(earlier.endedAt);
  return pause >= 0 && pause <= LONGEST_PAUSE_MS;
}

const joined = (earlier: DeviceActivity, later: DeviceActivity): DeviceActivity => ({
  ...later,
  startedAt: earlier.startedAt,
  bytesIn: earlier.bytesIn + later.bytesIn,
  bytesOut: earlier.bytesOut + later.bytesOut,
});
