import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret } from '../../src/platform/common/identifiers/secret.js';
import { addKey, withClient, type Database } from './database.js';

/** The header that authenticates a caller. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** The part of a server on which a caller may read devices. */
export interface ReadableScope {
  readonly kind: 'Tenant' | 'CustomerTenant' | 'DeviceGroup';
  readonly id: string;
}

const GRANT = `INSERT INTO permission_assignments
    (id, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id, owning_tenant_id)
  SELECT gen_random_uuid(), $1, $2, 'device.read', 'Allow', kind, id::uuid, $3 FROM unnest($4::text[], $5::text[]) AS scope (kind, id)`;

/** Creates a user of a tenant who may read the devices in these scopes, and returns the header of a token with all rights of the user. */
export function createReader(database: Database, tenantId: string, scopes: readonly ReadableScope[]): Promise<CallerHeaders> {
  return withClient(database, async (client) => {
    const [userId, tokenId, secret] = [newGuid(), newGuid(), newSecret()];
    await client.query(
      `INSERT INTO users (id, tenant_id, user_name, normalized_user_name, security_stamp) VALUES ($1, $2, $3::text, upper($3::text), gen_random_uuid())`,
      [userId, tenantId, `reader-${userId}@example.org`],
    );
    await client.query(
      `INSERT INTO personal_access_tokens (id, user_id, name, hashed_secret, permission_mode) VALUES ($1, $2, 'Bench', $3, 'InheritOwner')`,
      [tokenId, userId, hashSecret(secret)],
    );
    await client.query(GRANT, ['User', userId, tenantId, ...columnsOf(scopes)]);
    return { 'x-personal-token': formatKey(tokenId, secret) };
  });
}

/** Creates an account of the server that may read the devices in these scopes of a tenant and nothing else, and returns its header. */
export function createServerReader(database: Database, tenantId: string, scopes: readonly ReadableScope[]): Promise<CallerHeaders> {
  return withClient(database, async (client) => {
    const accountId = newGuid();
    await client.query(`INSERT INTO service_accounts (id, kind, name) VALUES ($1, 'Server', $2)`, [accountId, `Reader ${accountId}`]);
    await client.query(GRANT, ['ServiceAccount', accountId, tenantId, ...columnsOf(scopes)]);
    return { 'x-api-key': await addKey(client, accountId) };
  });
}

function columnsOf(scopes: readonly ReadableScope[]): [string[], string[]] {
  return [scopes.map(({ kind }) => kind), scopes.map(({ id }) => id)];
}
