import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { ActivityWriter } from './activity-writer.js';
import { DeviceActivityKind, DeviceActivityOutcome } from './device-activity-kinds.js';

/** The viewer's own session on a device, if it runs; it is locked so that it does not end before its recording has begun. */
const FIND_SESSION = `
  SELECT s.id, s.tenant_id AS "tenantId" FROM device_activities s
  WHERE s.device_id = $1 AND s.subject = $2 AND s.principal_id = $3 AND ($4::uuid IS NULL OR s.tenant_id = $4)
    AND s.kind = '${DeviceActivityKind.RemoteControl}' AND s.ended_at IS NULL
  FOR UPDATE`;

/** The record has the viewer, the address and the node of its session, so that it ends with the node, too. */
const BEGIN = `
  INSERT INTO device_activities (id, tenant_id, device_id, kind, principal_kind, principal_id, principal_name, ip_address, correlation_id,
    user_correlation_id, session_correlation_id, subject, node_id, started_at)
  SELECT $2, s.tenant_id, s.device_id, '${DeviceActivityKind.Recording}', s.principal_kind, s.principal_id, s.principal_name, s.ip_address,
    s.correlation_id, s.user_correlation_id, s.session_correlation_id, s.subject, s.node_id, $3
  FROM device_activities s
  WHERE s.id = $1 AND NOT EXISTS (
    SELECT FROM device_activities r
    WHERE r.device_id = s.device_id AND r.subject = s.subject AND r.kind = '${DeviceActivityKind.Recording}' AND r.ended_at IS NULL)
  RETURNING id`;

const END = `
  WITH ended AS (
    UPDATE device_activities SET ended_at = $3, outcome = '${DeviceActivityOutcome.Completed}'
    WHERE device_id = $1 AND subject = $2 AND ($4::uuid IS NULL OR principal_id = $4) AND ($5::uuid IS NULL OR tenant_id = $5)
      AND kind = '${DeviceActivityKind.Recording}' AND ended_at IS NULL
    RETURNING tenant_id)
  SELECT tenant_id AS "tenantId" FROM ended`;

/** A session by its device, its id at the relay and its tenant, which is null where the caller may name any tenant. */
export interface SessionAtRelay {
  readonly deviceId: string;
  readonly relaySessionId: string;
  readonly tenantId: string | null;
}

/** A session whose recording has begun or ended. */
interface RecordedSession {
  /** The tenant of the session and its device. */
  readonly tenantId: string | null;
}

/** The records of recordings that viewers make of their remote control sessions. The service knows of them by the viewers alone. */
@Injectable()
export class SessionRecordings {
  constructor(
    private readonly writer: ActivityWriter,
    private readonly clock: Clock,
  ) {}

  /** Settles when the sessions of this node have their records, or the database has refused them for now. Call it before the transaction. */
  untilSessionsAreRecorded(): Promise<void> {
    return this.writer.settled();
  }

  /** Begins the record of a recording of the caller's own session. Null if the caller has no such session; `isNew` is false if it is recorded already. */
  async begin(
    manager: EntityManager,
    { deviceId, relaySessionId, tenantId }: SessionAtRelay,
    callerId: string | null,
  ): Promise<(RecordedSession & { readonly isNew: boolean }) | null> {
    type Found = RecordedSession & { readonly id: string };
    const [session] = await readRows<Found>(manager, FIND_SESSION, [deviceId, relaySessionId, callerId, tenantId]);
    if (session === undefined) return null;
    const begun = await readRows<object>(manager, BEGIN, [session.id, newGuid(), this.clock.now()]);
    return { tenantId: session.tenantId, isNew: begun.length > 0 };
  }

  /** Ends the record of the recording of the caller's own session. Null if it is not being recorded. */
  end(manager: EntityManager, session: SessionAtRelay, callerId: string | null): Promise<RecordedSession | null> {
    return this.endOf(manager, session, callerId);
  }

  /** Ends the record of the recording of a session that has ended. Null if it was not being recorded. */
  async endWithSession(manager: EntityManager, session: SessionAtRelay): Promise<RecordedSession | null> {
    // From then on no recording of the session begins.
    await this.writer.settled();
    return this.endOf(manager, session, null);
  }

  private async endOf(
    manager: EntityManager,
    { deviceId, relaySessionId, tenantId }: SessionAtRelay,
    callerId: string | null,
  ): Promise<RecordedSession | null> {
    const parameters = [deviceId, relaySessionId, this.clock.now(), callerId, tenantId];
    const [ended] = await readRows<RecordedSession>(manager, END, parameters);
    return ended ?? null;
  }
}
