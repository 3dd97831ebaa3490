import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { readRows } from '../../../platform/database/queries/read-rows.js';
import { INVALIDATION_CHANNEL, Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { DeviceActivityKind } from '../../device-activity/device-activity-kinds.js';
import type { RunningSessionDto } from './device-inventory.dto.js';

/** The kinds of sessions on a device. Transfers and single commands are no sessions. */
const KINDS = [DeviceActivityKind.RemoteControl, DeviceActivityKind.Terminal, DeviceActivityKind.Vnc];
/** The kinds that go through the relay. */
const OF_RELAY = [DeviceActivityKind.RemoteControl, DeviceActivityKind.Vnc];
/** More than that are as good as many. */
const MAXIMUM_SESSIONS = 100;

/** Of one device in its present tenant: a device that moved leaves its records behind. */
const LIST = `
  SELECT running.id, running.kind, running.principal_name AS "principalName", running.started_at AS "startedAt",
         running.principal_id IS NOT DISTINCT FROM $3 AS "isOwn", running.desktop_session AS "desktopSession",
         running.is_view_only AS "isViewOnly", running.kind = ANY($5) AS "canBeEnded"
  FROM device_activities running JOIN devices d ON d.id = running.device_id AND d.tenant_id = running.tenant_id
  WHERE d.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2) AND running.ended_at IS NULL AND running.kind = ANY($4)
  ORDER BY running.started_at, running.id LIMIT ${MAXIMUM_SESSIONS}`;

/** A session of the relay that runs on a device. */
const FIND = `
  SELECT running.id, running.kind, running.subject AS "sessionId", running.principal_id AS "principalId", d.tenant_id AS "tenantId"
  FROM device_activities running JOIN devices d ON d.id = running.device_id AND d.tenant_id = running.tenant_id
  WHERE d.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2) AND running.id = $3 AND running.ended_at IS NULL AND running.kind = ANY($4)`;

const ANNOUNCE_END = `SELECT pg_notify('${INVALIDATION_CHANNEL}', '${Topic.RelaySession}:' || $1::text)`;

/** A session of the relay that runs. */
export interface RunningRelaySession {
  readonly id: string;
  readonly kind: DeviceActivityKind;
  /** Its id at the relay. */
  readonly sessionId: string;
  readonly principalId: string | null;
  readonly tenantId: string;
}

/** The SQL of sessions that run. */
@Injectable()
export class RunningSessionsRepository {
  /** The sessions that run on a device; `tenantId` is null when the caller may name any tenant. */
  list(manager: EntityManager, deviceId: string, tenantId: string | null, callerId: string | null): Promise<RunningSessionDto[]> {
    return readRows<RunningSessionDto>(manager, LIST, [deviceId, tenantId, callerId, KINDS, OF_RELAY]);
  }

  /** A session of the relay that runs on a device, by the id of its record; null if there is none. */
  async find(manager: EntityManager, deviceId: string, tenantId: string | null, id: string): Promise<RunningRelaySession | null> {
    const [session] = await readRows<RunningRelaySession>(manager, FIND, [deviceId, tenantId, id, OF_RELAY]);
    return session ?? null;
  }

  /** Tells every process that the session is to end, once the transaction has committed. */
  async announceEnd(manager: EntityManager, sessionId: string): Promise<void> {
    await manager.query(ANNOUNCE_END, [sessionId]);
  }
}
