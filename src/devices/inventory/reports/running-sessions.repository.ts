import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { readRows } from '../../../platform/database/queries/read-rows.js';
import { DeviceActivityKind } from '../../device-activity/device-activity-kinds.js';
import type { RunningSessionDto } from './device-inventory.dto.js';

/** What somebody does on a device for a while. Transfers and single commands are no sessions. */
const KINDS = [DeviceActivityKind.RemoteControl, DeviceActivityKind.Terminal, DeviceActivityKind.Vnc];
/** More than that are as good as many. */
const MAXIMUM_SESSIONS = 100;

/** Of one device in its present tenant: a device that moved leaves its records behind. */
const LIST = `
  SELECT running.id, running.kind, running.principal_name AS "principalName", running.started_at AS "startedAt",
         running.principal_id IS NOT DISTINCT FROM $3 AS "isOwn"
  FROM device_activities running JOIN devices d ON d.id = running.device_id AND d.tenant_id = running.tenant_id
  WHERE d.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2) AND running.ended_at IS NULL AND running.kind = ANY($4)
  ORDER BY running.started_at, running.id LIMIT ${MAXIMUM_SESSIONS}`;

/** The SQL of sessions that run. */
@Injectable()
export class RunningSessionsRepository {
  /** The sessions that run on a device; `tenantId` is null when the caller may name any tenant. */
  list(manager: EntityManager, deviceId: string, tenantId: string | null, callerId: string | null): Promise<RunningSessionDto[]> {
    return readRows<RunningSessionDto>(manager, LIST, [deviceId, tenantId, callerId, KINDS]);
  }
}
