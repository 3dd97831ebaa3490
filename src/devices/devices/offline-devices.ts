import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Time for which a device has to be away until it counts as offline, in seconds. Shorter absences have no event. */
const OFFLINE_AFTER_S = 60;
/** Devices of one transaction: it keeps devices that come back waiting for some milliseconds. */
const BATCH = 100;

/** Writes the events of absences that have lasted long enough. Absences that end at the same time are skipped: they end without events. */
const TELL = `
  WITH due AS (
    SELECT device_id FROM device_absences
    WHERE told_at IS NULL AND since < now() - $1 * interval '1 second' ORDER BY since LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ), told AS (
    UPDATE device_absences a SET told_at = now() FROM due WHERE a.device_id = due.device_id RETURNING a.device_id, a.since
  )
  INSERT INTO events (id, tenant_id, kind, device_id, data)
  SELECT gen_random_uuid(), d.tenant_id, 'device.offline', d.id,
         jsonb_build_object('name', coalesce(nullif(d.alias, ''), d.name), 'since', told.since)
  FROM told JOIN devices d ON d.id = told.device_id
  RETURNING device_id`;

/** Writes the event \`device.offline\` of devices that have been away for a minute. */
@Injectable()
export class OfflineDevices {
  private readonly startedAt = performance.now();

  constructor(private readonly dataSource: DataSource) {}

  /** Writes the events that are due and returns their number. None in the first minute of the process: agents come back within it. */
  async tell(signal: AbortSignal): Promise<number> {
    if (performance.now() - this.startedAt < OFFLINE_AFTER_S * 1_000) return 0;
    return this.tellOf(OFFLINE_AFTER_S, signal);
  }

  /** The same for absences of at least this many seconds. */
  async tellOf(seconds: number, signal: AbortSignal): Promise<number> {
    let told = 0;
    for (let batch = BATCH; batch === BATCH && !signal.aborted; told += batch) {
      batch = (await this.dataSource.query<object[]>(TELL, [seconds])).length;
    }
    return told;
  }
}
