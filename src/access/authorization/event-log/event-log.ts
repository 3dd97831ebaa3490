import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { newGuid } from '../../../platform/common/identifiers/guid.js';
import { idOf, type Principal } from '../../authentication/principals/principal.js';
import type { EventActor, NewEvent } from './event-kinds.js';

/** Longest name of a caller that is kept, in characters: the length of the column. */
const MAXIMUM_NAME = 256;

/** Names the device or the principal of an event as it is called at that time. */
const WRITE = `
  INSERT INTO events (id, tenant_id, kind, device_id, actor_kind, actor_id, actor_name, data)
  SELECT e.id, e.tenant_id, e.kind, e.device_id, e.actor_kind, e.actor_id, e.actor_name, n.names || e.data
  FROM jsonb_to_recordset($1::jsonb)
    AS e(id uuid, tenant_id uuid, kind text, device_id uuid, actor_kind text, actor_id uuid, actor_name text, data jsonb)
  CROSS JOIN LATERAL (SELECT (e.data->>'principalId')::uuid AS id, e.data->>'principalKind' AS kind) p
  CROSS JOIN LATERAL (SELECT jsonb_strip_nulls(jsonb_build_object(
    'name', (SELECT coalesce(nullif(d.alias, ''), d.name) FROM devices d WHERE d.id = e.device_id),
    'principalName', CASE p.kind
      WHEN 'User' THEN (SELECT u.user_name FROM users u WHERE u.id = p.id)
      WHEN 'UserGroup' THEN (SELECT g.name FROM user_groups g WHERE g.id = p.id)
      WHEN 'ServiceAccount' THEN (SELECT a.name FROM service_accounts a WHERE a.id = p.id)
      WHEN 'PersonalAccessToken' THEN (SELECT t.name FROM personal_access_tokens t WHERE t.id = p.id)
    END)) AS names) n`;

/** Writes events in the transaction that causes them, so that none is missing and none is told of work that was undone. */
@Injectable()
export class EventLog {
  async write(manager: EntityManager, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map(({ tenantId, kind, deviceId, actor, data }) => ({
      id: newGuid(),
      tenant_id: tenantId,
      kind,
      device_id: deviceId ?? null,
      actor_kind: actor?.kind ?? null,
      actor_id: actor?.id ?? null,
      actor_name: actor === null ? null : shortened(actor.name),
      data,
    }));
    await manager.query(WRITE, [JSON.stringify(rows)]);
  }
}

/** Counts characters as PostgreSQL does, so that none is cut in half: it refuses one half. */
function shortened(name: string): string {
  return name.length <= MAXIMUM_NAME ? name : Array.from(name).slice(0, MAXIMUM_NAME).join('');
}

/** The caller of a context as the actor of an event; null for the service itself. */
export function eventActorOf(principal: Principal): EventActor | null {
  const id = idOf(principal);
  if (id === null) return null;
  return { kind: principal.type === 'User' ? 'User' : 'ServiceAccount', id, name: principal.name };
}
