import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { EMPTY_GUID } from '../../platform/common/identifiers/guid.js';
import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { DeviceActivityOutcome } from './device-activity-kinds.js';
import type { DeviceActivityDto, DeviceActivityPersonDto, DeviceActivityQueryDto } from './device-activity.dto.js';
import type { DeviceActivity } from './device-activity.entity.js';

/** A record as it is written; `bigint` columns take numbers. */
export type ActivityRow = Omit<DeviceActivity, 'bytesIn' | 'bytesOut'> & { readonly bytesIn: number; readonly bytesOut: number };

const WRITE = `
  INSERT INTO device_activities SELECT * FROM jsonb_populate_recordset(NULL::device_activities, $1)
  ON CONFLICT (id) DO UPDATE
    SET ended_at = EXCLUDED.ended_at, bytes_in = EXCLUDED.bytes_in, bytes_out = EXCLUDED.bytes_out, outcome = EXCLUDED.outcome,
      consent = EXCLUDED.consent`;

/** Of the processes that have ended. The node's own process has begun none yet when it asks. */
const INTERRUPT = `
  UPDATE device_activities a SET ended_at = $1, outcome = '${DeviceActivityOutcome.Interrupted}'
  WHERE a.ended_at IS NULL AND NOT EXISTS (SELECT FROM nodes n WHERE n.id = a.node_id)`;

/** Of one device in its present tenant: a device that moved leaves its records behind. */
const LIST = `
  SELECT a.id, a.kind, a.principal_kind AS "principalKind", a.principal_id AS "principalId", a.principal_name AS "principalName",
         a.ip_address AS "ipAddress", a.user_correlation_id AS "userCorrelationId", a.session_correlation_id AS "sessionCorrelationId",
         a.subject, a.desktop_session AS "desktopSession", a.is_view_only AS "isViewOnly", a.consent, a.started_at AS "startedAt", a.ended_at AS "endedAt", a.bytes_in::float8 AS "bytesIn", a.bytes_out::float8 AS "bytesOut",
         a.outcome
  FROM device_activities a JOIN devices d ON d.id = a.device_id AND d.tenant_id = a.tenant_id
  WHERE d.id = $1 AND ($4::text IS NULL OR a.kind = $4) AND ($5::uuid IS NULL OR a.principal_id = $5)
    AND ($2::uuid IS NULL OR (a.started_at, a.id) < (SELECT started_at, id FROM device_activities WHERE id = $2 AND device_id = $1))
  ORDER BY a.started_at DESC, a.id DESC LIMIT $3`;

/** The callers in those records, each under the name that it had last. */
const PEOPLE = `
  SELECT p.id, p.kind, p.name FROM (
    SELECT DISTINCT ON (a.principal_id) a.principal_id AS id, a.principal_kind AS kind, a.principal_name AS name
    FROM device_activities a JOIN devices d ON d.id = a.device_id AND d.tenant_id = a.tenant_id
    WHERE d.id = $1 AND a.principal_id IS NOT NULL
    ORDER BY a.principal_id, a.started_at DESC
  ) p ORDER BY lower(p.name), p.id LIMIT $2`;

const REMOVE_OLDER = `
  DELETE FROM device_activities
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_activities WHERE started_at < $1 LIMIT $2))`;

/** Devices that one query reads. */
const DEVICES_PAGE = 1_000;

/** The devices of a tenant that have records, from one on. It jumps in the index from device to device. */
const DEVICES = `
  WITH RECURSIVE device AS (
    (SELECT device_id FROM device_activities WHERE tenant_id = $1 AND device_id > $2 ORDER BY device_id LIMIT 1)
    UNION ALL
    SELECT next.device_id FROM device d CROSS JOIN LATERAL (
      SELECT a.device_id FROM device_activities a WHERE a.tenant_id = $1 AND a.device_id > d.device_id ORDER BY a.device_id LIMIT 1) next
  )
  SELECT device_id AS "deviceId" FROM device LIMIT ${DEVICES_PAGE}`;

const REMOVE_OLDER_OF = `
  DELETE FROM device_activities WHERE ctid = ANY (ARRAY(
    SELECT old.ctid FROM unnest($2::uuid[]) AS device(id) CROSS JOIN LATERAL (
      SELECT a.ctid FROM device_activities a WHERE a.tenant_id = $1 AND a.device_id = device.id AND a.started_at < $3
      ORDER BY a.started_at LIMIT $4) old
    LIMIT $4))`;

const REMOVE_OLDER_WITHOUT_DEVICE = `
  DELETE FROM device_activities WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM device_activities WHERE tenant_id = $1 AND device_id IS NULL AND started_at < $2 ORDER BY started_at LIMIT $3))`;

/** The SQL of the audit records. */
@Injectable()
export class DeviceActivitiesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Inserts records, or completes those that are there. */
  async write(rows: readonly ActivityRow[]): Promise<void> {
    const stored = rows.map((row) => ({
      id: row.id,
      tenant_id: row.tenantId,
      device_id: row.deviceId,
      kind: row.kind,
      principal_kind: row.principalKind,
      principal_id: row.principalId,
      principal_name: row.principalName,
      ip_address: row.ipAddress,
      correlation_id: row.correlationId,
      user_correlation_id: row.userCorrelationId,
      session_correlation_id: row.sessionCorrelationId,
      subject: row.subject,
      desktop_session: row.desktopSession,
      is_view_only: row.isViewOnly,
      consent: row.consent,
      node_id: row.nodeId,
      started_at: row.startedAt,
      ended_at: row.endedAt,
      bytes_in: row.bytesIn,
      bytes_out: row.bytesOut,
      outcome: row.outcome,
    }));
    await this.dataSource.query(WRITE, [JSON.stringify(stored)]);
  }

  /** The records of a device from newest to oldest, beginning after the record `after`, of one kind or one caller if these are named. */
  list(deviceId: string, { after, pageSize, kind, principalId }: DeviceActivityQueryDto): Promise<DeviceActivityDto[]> {
    return this.dataSource.query<DeviceActivityDto[]>(LIST, [deviceId, after, pageSize, kind, principalId]);
  }

  /** All records of a device that match, page by page. */
  all(deviceId: string, filter: Pick<DeviceActivityQueryDto, 'kind' | 'principalId'>): Pages<DeviceActivityDto> {
    return pagesOf<DeviceActivityDto>((last, pageSize) => this.list(deviceId, { ...filter, after: last?.id ?? null, pageSize }));
  }

  /** The callers that have records of a device, by name, at most so many. */
  people(deviceId: string, limit: number): Promise<DeviceActivityPersonDto[]> {
    return this.dataSource.query<DeviceActivityPersonDto[]>(PEOPLE, [deviceId, limit]);
  }

  /** Ends the records of activities that nodes left running which there are no more. */
  async interrupt(now: Date): Promise<void> {
    await this.dataSource.query(INTERRUPT, [now]);
  }

  /** Deletes records of activities that began before an instant, at most so many, and returns how many. */
  async removeOlder(before: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE_OLDER, [before, limit]);
    return count;
  }

  /** The devices of a tenant that have records, in pages. */
  async *devicesOf(tenantId: string): AsyncGenerator<readonly string[]> {
    for (let last = EMPTY_GUID, isLast = false; !isLast;) {
      const rows = await readRows<{ readonly deviceId: string }>(this.dataSource.manager, DEVICES, [tenantId, last]);
      const ids = rows.map(({ deviceId }) => deviceId);
      if (ids.length > 0) yield ids;
      isLast = ids.length < DEVICES_PAGE;
      last = ids.at(-1) ?? last;
    }
  }

  /** Deletes records of devices in a tenant of activities that began before an instant, at most so many, and returns how many. */
  async removeOlderOf(tenantId: string, deviceIds: readonly string[], before: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE_OLDER_OF, [tenantId, deviceIds, before, limit]);
    return count;
  }

  /** The same for records of a tenant that name no device. */
  async removeOlderWithoutDevice(tenantId: string, before: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE_OLDER_WITHOUT_DEVICE, [tenantId, before, limit]);
    return count;
  }
}
