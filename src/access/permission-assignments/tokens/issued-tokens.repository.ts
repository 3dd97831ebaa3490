import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { readRows } from '../../../platform/database/queries/read-rows.js';

/** A token that was issued with a key or with another token. */
export interface IssuedToken {
  readonly kind: 'LogonToken' | 'PersonalAccessToken';
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  /** Logon tokens have no name. */
  readonly name: string | null;
  readonly expiresAt: Date | null;
  readonly madeWithCredentialId: string;
}

/** The keys and tokens of a user or service account. */
const OF_OWNER = `
  SELECT id FROM service_account_credentials WHERE service_account_id = $1
  UNION ALL SELECT id FROM personal_access_tokens WHERE user_id = $1
  UNION ALL SELECT id FROM logon_tokens WHERE user_id = $1`;

/** Locks credentials of all kinds, in the order of their ids. */
const LOCK = `
  WITH account_keys AS (SELECT 1 FROM service_account_credentials WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE),
       personal_tokens AS (SELECT 1 FROM personal_access_tokens WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE),
       logon_tokens AS (SELECT 1 FROM logon_tokens WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)
  SELECT count(*) FROM (SELECT FROM account_keys UNION ALL SELECT FROM personal_tokens UNION ALL SELECT FROM logon_tokens) held`;

/** The tokens that were issued with the credentials $1, directly or with a token that was, without these credentials themselves. */
const ISSUED_WITH = `
  WITH RECURSIVE made(id) AS (
    SELECT unnest($1::uuid[])
    UNION
    SELECT token.id FROM made CROSS JOIN LATERAL (
      SELECT t.id FROM personal_access_tokens t WHERE t.made_with_credential_id = made.id
      UNION ALL
      SELECT t.id FROM logon_tokens t WHERE t.made_with_credential_id = made.id) token
  ),
  ended AS MATERIALIZED (SELECT id FROM made WHERE id <> ALL($1::uuid[]))
  SELECT 'PersonalAccessToken' AS kind, t.id, users.tenant_id AS "tenantId", t.user_id AS "userId", t.name, t.expires_at AS "expiresAt",
         t.made_with_credential_id AS "madeWithCredentialId"
  FROM ended JOIN personal_access_tokens t ON t.id = ended.id JOIN users ON users.id = t.user_id
  UNION ALL
  SELECT 'LogonToken', t.id, t.tenant_id, t.user_id, NULL, t.expires_at, t.made_with_credential_id
  FROM ended JOIN logon_tokens t ON t.id = ended.id`;

/** Finds the tokens that were issued with credentials. */
@Injectable()
export class IssuedTokensRepository {
  /** The ids of the keys and tokens of a user or service account. */
  async credentialsOf(manager: EntityManager, ownerId: string): Promise<string[]> {
    return (await readRows<{ readonly id: string }>(manager, OF_OWNER, [ownerId])).map(({ id }) => id);
  }

  /** Locks credentials and all tokens that were issued with them, with these tokens, and so on. Returns these tokens. */
  async lockIssuedWith(manager: EntityManager, credentialIds: readonly string[]): Promise<IssuedToken[]> {
    const locked = new Set<string>();
    let issued: IssuedToken[] = [];
    // A token can be made with one that is not locked yet, so that it has to be looked for until all are locked.
    for (let ids = credentialIds; ids.length > 0; ids = issued.flatMap(({ id }) => (locked.has(id) ? [] : [id]))) {
      await manager.query(LOCK, [ids]);
      for (const id of ids) locked.add(id);
      issued = await readRows<IssuedToken>(manager, ISSUED_WITH, [credentialIds]);
    }
    return issued;
  }
}
