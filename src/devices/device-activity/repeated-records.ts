import { BoundedMap } from '../../platform/common/collections/bounded-map.js';
import type { ActivityRow } from './device-activities.repository.js';

const MINUTE_MS = 60 * 1000;
/** A repetition comes at most so long after the last one. */
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
/** Time within which repetitions join a record. */
const LONGEST_RECORD_MS = 60 * MINUTE_MS;
/** Records that are remembered. A repetition of a forgotten one begins a record of its own. */
const MAXIMUM_KNOWN = 1_000;

/** The columns of an activity that are known when it begins. */
export type BegunActivity = Omit<ActivityRow, 'endedAt' | 'bytesIn' | 'bytesOut' | 'outcome'>;

/** The record of one or several activities, with the bytes of those that have ended. */
export interface ActivityRecord {
  readonly begun: BegunActivity;
  bytesIn: number;
  bytesOut: number;
  /** Time of the last beginning, repetition or end, in milliseconds since 1970. */
  lastUsedAt: number;
}

/**
 * Records of repeated activities, such as reading a log file to follow it. The same caller doing the same within ten minutes continues
 * the record, for an hour: the audit stays true, and following a file all day leaves some records rather than thousands.
 */
export class RepeatedRecords {
  private readonly known = new BoundedMap<string, ActivityRecord>(MAXIMUM_KNOWN);

  /** The record that the activity goes on with; undefined where it begins one. */
  find(begun: BegunActivity): ActivityRecord | undefined {
    const record = this.known.get(keyOf(begun));
    const now = begun.startedAt.getTime();
    if (record === undefined) return undefined;
    if (now - record.lastUsedAt > LONGEST_PAUSE_MS || now - record.begun.startedAt.getTime() > LONGEST_RECORD_MS) return undefined;
    record.lastUsedAt = now;
    return record;
  }

  /** Remembers a record that may be repeated, instead of the one that went before. */
  add(record: ActivityRecord): void {
    const key = keyOf(record.begun);
    this.known.delete(key);
    this.known.set(key, record);
  }
}

/** Key of an activity: its kind, device, subject and actor, with the actor's address. */
function keyOf(begun: BegunActivity): string {
  const { kind, tenantId, deviceId, subject, principalKind, principalId, principalName, ipAddress } = begun;
  const { userCorrelationId, sessionCorrelationId } = begun;
  const who = [principalKind, principalId, principalName, ipAddress, userCorrelationId, sessionCorrelationId];
  return JSON.stringify([kind, tenantId, deviceId, subject, ...who]);
}
