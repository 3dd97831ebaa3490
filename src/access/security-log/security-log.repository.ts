import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { browserName } from '../authentication/visitors/browser-name.js';
import type { SecurityEventKind } from './security-event-kinds.js';
import type { SecurityEvent } from './security-event.entity.js';

/** An entry as readers see it. */
export type ListedEvent = Omit<SecurityEvent, 'tenantId' | 'correlationId'> & {
  /** Browser and system of the request; null when it named neither. */
  readonly client: string | null;
};

/** The users whose entries to read: one user, or those of a tenant or one of them; and the kinds, which null does not limit. */
export type EventFilter = { readonly kinds: readonly SecurityEventKind[] | null } & (
  { readonly userId: string } | { readonly tenantId: string; readonly userId: string | null }
);

const COLUMNS = `
  id, created_at AS "createdAt", user_id AS "userId", user_name AS "userName", kind, detail, remote_address AS "remoteAddress",
  user_agent AS "userAgent"`;

const REMOVE_OLDER = `
  DELETE FROM security_events WHERE ctid = ANY (ARRAY(SELECT ctid FROM security_events WHERE created_at < $1 LIMIT $2))`;

const REMOVE_OLDER_OF = `
  DELETE FROM security_events WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM security_events WHERE tenant_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $3))`;

const SIGN_IN_ADDRESSES = `
  SELECT DISTINCT remote_address AS "remoteAddress" FROM (
    SELECT remote_address FROM security_events
    WHERE user_id = $1 AND kind = 'SignedIn' AND created_at > $2 AND remote_address IS NOT NULL
    ORDER BY created_at DESC LIMIT $3) latest`;

/** The SQL of the security log. */
@Injectable()
export class SecurityLogRepository {
  /** Entries from newest to oldest, beginning after the entry `after` of the same reader. Ids grow with time. */
  async page(manager: EntityManager, filter: EventFilter, after: string | null, limit: number): Promise<ListedEvent[]> {
    const parameters: unknown[] = [];
    const place = (value: unknown): string => `$${parameters.push(value)}`;
    const conditions: string[] = [];
    if ('tenantId' in filter) conditions.push(`tenant_id = ${place(filter.tenantId)}`);
    if (filter.userId !== null) conditions.push(`user_id = ${place(filter.userId)}`);
    const scope = conditions.join(' AND ');
    if (filter.kinds !== null) conditions.push(`kind = ANY(${place(filter.kinds)})`);
    if (after !== null) {
      conditions.push(`(created_at, id) < (SELECT created_at, id FROM security_events WHERE id = ${place(after)} AND ${scope})`);
    }
    const events = await manager.query<Omit<ListedEvent, 'client'>[]>(
      `SELECT ${COLUMNS} FROM security_events WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ${place(limit)}`,
      parameters,
    );
    return events.map((event) => ({ ...event, client: browserName(event.userAgent) }));
  }

  /** All these entries, page by page. */
  all(manager: EntityManager, filter: EventFilter): Pages<ListedEvent> {
    return pagesOf<ListedEvent>((last, limit) => this.page(manager, filter, last?.id ?? null, limit));
  }

  /** The addresses of the latest sign-ins of a user since a time. */
  async signInAddresses(manager: EntityManager, userId: string, since: Date, limit: number): Promise<string[]> {
    const rows = await manager.query<{ remoteAddress: string }[]>(SIGN_IN_ADDRESSES, [userId, since, limit]);
    return rows.map(({ remoteAddress }) => remoteAddress);
  }

  /** Deletes at most `limit` entries from before an instant and returns how many. */
  async removeOlder(manager: EntityManager, before: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_OLDER, [before, limit]);
    return count;
  }

  /** The same for the entries of one tenant, the oldest first. */
  async removeOlderOf(manager: EntityManager, tenantId: string, before: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_OLDER_OF, [tenantId, before, limit]);
    return count;
  }
}
