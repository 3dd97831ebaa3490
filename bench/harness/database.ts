import { hash } from '@node-rs/argon2';
import pg from 'pg';

import { PasswordCost } from '../../src/access/authentication/passwords/password-cost.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret } from '../../src/platform/common/identifiers/secret.js';

/** Connection of a program to the database of the service under test. */
export interface Database {
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

/** A tenant with devices and a service account with the permissions that the goals need, by ordinary rules without a bypass. */
export interface Fleet {
  readonly tenantId: string;
  /** The `x-api-key` value of the account. */
  readonly apiKey: string;
}

/** A service account with a tenant of its own. */
export interface Account extends Fleet {
  readonly accountId: string;
}

const PERMISSIONS = [
  'device.read',
  'device.terminal.use',
  'device.file-system.transfer-upload',
  'device.file-system.transfer-download',
  'device.remote-control.connect',
  'device.remote-control.interact',
];
const TENANT_PERMISSIONS = ['tenant.permissions.read'];

/** The id of the device with this number. All programs calculate it alike. */
export function deviceIdOf(index: number): string {
  return `0199a000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** Creates the tenant, the account and `count` realistic devices, and analyzes the tables. */
export async function createFleet(database: Database, count: number): Promise<Account> {
  const account = await createAccount(database, [...PERMISSIONS, ...TENANT_PERMISSIONS]);
  await withClient(database, (client) => addDevices(client, account.tenantId, 0, count));
  return account;
}

/** Creates a tenant with a service account that holds these permissions on it. */
export async function createAccount(database: Database, permissions: readonly string[]): Promise<Account> {
  const [account] = await createAccounts(database, 1, permissions);
  if (account === undefined) throw new Error('No account was created.');
  return account;
}

/** Creates a tenant with several such accounts. */
export function createAccounts(database: Database, count: number, permissions: readonly string[]): Promise<readonly Account[]> {
  return withClient(database, async (client) => {
    const tenantId = await addTenant(client);
    const accounts: Account[] = [];
    for (let number = 0; number < count; number += 1) accounts.push(await addAccount(client, tenantId, permissions));
    return accounts;
  });
}

async function addAccount(client: pg.Client, tenantId: string, permissions: readonly string[]): Promise<Account> {
  const accountId = newGuid();
  await client.query(`INSERT INTO service_accounts (id, kind, tenant_id, name) VALUES ($1, 'Tenant', $2, $3)`, [
    accountId,
    tenantId,
    `Bench ${accountId}`,
  ]);
  await client.query(
    `INSERT INTO permission_assignments (id, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id, owning_tenant_id)
       SELECT gen_random_uuid(), 'ServiceAccount', $1, name, 'Allow', 'Tenant', $2, $2 FROM unnest($3::text[]) AS name`,
    [accountId, tenantId, permissions],
  );
  return { tenantId, accountId, apiKey: await addKey(client, accountId) };
}

/** Creates an account that may do everything, and returns its `x-api-key` value. */
export function createAdministrator(database: Database): Promise<string> {
  return withClient(database, async (client) => {
    const accountId = newGuid();
    await client.query(
      `INSERT INTO service_accounts (id, kind, name, access_mode) VALUES ($1, 'Server', 'Administrator', 'Unrestricted')`,
      [accountId],
    );
    return addKey(client, accountId);
  });
}

/** Creates a tenant with `count` people who have that password, and returns their user names. */
export async function createPeople(database: Database, count: number, password: string): Promise<string[]> {
  const passwordHash = await hash(password, new PasswordCost().ofHash);
  return withClient(database, async (client) => {
    const { rows } = await client.query<{ user_name: string }>(
      `INSERT INTO users (id, tenant_id, user_name, normalized_user_name, password_hash, security_stamp)
       SELECT gen_random_uuid(), $1, 'person-' || n || '@example.org', upper('person-' || n || '@example.org'), $3, gen_random_uuid()
       FROM generate_series(1, $2::integer) AS n RETURNING user_name`,
      [await addTenant(client), count, passwordHash],
    );
    return rows.map((row) => row.user_name);
  });
}

/** Creates a tenant with `count` devices that have the numbers from `first` on, and returns its id. */
export function createTenantWithDevices(database: Database, first: number, count: number): Promise<string> {
  return withClient(database, async (client) => {
    const tenantId = await addTenant(client);
    await addDevices(client, tenantId, first, first + count);
    return tenantId;
  });
}

/** Adds devices until the fleet has `count`. */
export async function growFleet(database: Database, { tenantId }: Pick<Fleet, 'tenantId'>, from: number, count: number): Promise<void> {
  await withClient(database, (client) => addDevices(client, tenantId, from, count));
}

/** Creates tags of a tenant, and returns their ids. */
export function createTags(database: Database, tenantId: string, count: number): Promise<readonly string[]> {
  return withClient(database, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO tags (id, tenant_id, name, type) SELECT gen_random_uuid(), $1, 'tag-' || n, 'Permission' FROM generate_series(1, $2::integer) AS n RETURNING id`,
      [tenantId, count],
    );
    return rows.map(({ id }) => id);
  });
}

/** Makes the database chain the entries of the change log, or not. */
export async function setChaining(database: Database, isOn: boolean): Promise<void> {
  const state = isOn ? 'ENABLE' : 'DISABLE';
  await withClient(database, (client) => client.query(`ALTER TABLE authorization_change_logs ${state} TRIGGER change_log_chained`));
}

/** Forgets the keys of all devices, so that each can register with a new one. */
export async function forgetKeys(database: Database): Promise<void> {
  await withClient(database, (client) => client.query(`UPDATE devices SET public_key = '', last_update_ticks = 0`));
}

async function addTenant(client: pg.Client): Promise<string> {
  const tenantId = newGuid();
  await client.query(`INSERT INTO tenants (id, name) VALUES ($1, 'Fleet')`, [tenantId]);
  return tenantId;
}

/** Adds a key to a service account, and returns it. */
export async function addKey(client: pg.Client, accountId: string): Promise<string> {
  const secret = newSecret();
  const credentialId = newGuid();
  await client.query(`INSERT INTO service_account_credentials (id, service_account_id, name, hashed_secret) VALUES ($1, $2, 'Bench', $3)`, [
    credentialId,
    accountId,
    hashSecret(secret),
  ]);
  return formatKey(credentialId, secret);
}

async function addDevices(client: pg.Client, tenantId: string, from: number, to: number): Promise<void> {
  await client.query(
    `INSERT INTO devices (id, tenant_id, name, agent_version, dns_host_name, os_description, local_ip_v4, local_ip_v6, public_ip_v4,
       cpu_utilization, total_memory, used_memory, total_storage, used_storage, processor_count, is64_bit, os_architecture, platform,
       current_users, mac_addresses, drives)
     SELECT ('0199a000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'workstation-' || n, '1.2.3.4',
       'workstation-' || n || '.example.org', 'Debian GNU/Linux 12 (bookworm)', '192.0.2.10', '2001:db8::10', '198.51.100.7',
       0.25, 15.5, 4.25, 475.75, 128.5, 8, TRUE, 1, 2, '{operator,guest}', '{001122AABBCC,001122AABBCD}',
       '[{"name":"/","driveType":"Fixed","rootDirectory":"/","driveFormat":"ext4","freeSpace":347.25,"totalSize":475.75,"volumeLabel":"root"},
         {"name":"/boot","driveType":"Fixed","rootDirectory":"/boot","driveFormat":"vfat","freeSpace":0.4,"totalSize":0.5,"volumeLabel":"boot"}]'
     FROM generate_series($2::integer, $3::integer - 1) AS n`,
    [tenantId, from, to],
  );
  await client.query('VACUUM (ANALYZE) devices');
  // Otherwise PostgreSQL would flush the written data during a measurement.
  await client.query('CHECKPOINT');
}

/** Runs something with a connection to the database of the service. */
export async function withClient<T>(database: Database, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
