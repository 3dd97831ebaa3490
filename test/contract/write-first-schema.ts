import 'reflect-metadata';

import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DataSource, type Logger } from 'typeorm';

import { LocalPostgres } from '#libs/local-postgres';

import { dataSourceOptions } from '../../src/platform/database/connection/data-source.js';
import { FirstSchema1763650000000 } from '../../src/platform/database/migrations/1763650000000-first-schema.js';

/*
 * Writes `fixtures/first-schema.sql`, from which upgrades are tested: the statements of the first migration, and rows in every table.
 *
 *     node --import ./test/support/processes/run-typescript.mjs test/contract/write-first-schema.ts
 *
 * Not to be run any more once a release has made databases: the file then says what these hold.
 */

const FILE = fileURLToPath(new URL('fixtures/first-schema.sql', import.meta.url));

const HEAD = `-- A database of the first schema with rows in every table. test/contract/migrations.spec.ts loads it and starts the migrations on it.
-- Written by test/contract/write-first-schema.ts; never edited, and not written again once a release has made databases.

`;

/** Tables that something else fills: the migration, TypeORM, a trigger. */
const FILLED = ['server_alerts', 'migrations', 'device_search_texts'];

/**
 * Values of the first and the second row of a table, by column, or by table and column where the name alone does not say it. The second row
 * holds null wherever it may. Columns that are not named here get a value of their type.
 */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  'account_codes.purpose': ['ConfirmEmail', 'ResetPassword'],
  'authorization_change_logs.action_type': ['tag.created', 'tag.deleted'],
  'authorization_change_logs.after_json': ['{"name":"Workshop"}', ''],
  'authorization_change_logs.before_json': ['{"name":"Garage"}', ''],
  'authorization_change_logs.target_type': ['Tag', 'Tag'],
  'device_activities.kind': ['Terminal', 'Relay'],
  'device_activities.outcome': ['Completed', ''],
  'devices.drives': [
    '[{"name":"C:","driveType":"Fixed","rootDirectory":"C:\\\\","driveFormat":"NTFS","freeSpace":200,"totalSize":500,"volumeLabel":"System"}]',
    '[]',
  ],
  'devices.mac_addresses': ['{00:00:5E:00:53:01,00:00:5E:00:53:02}', '{}'],
  'devices.waiting_public_key': ['', ''],
  'external_passages.purpose': ['Connect', 'SignIn'],
  'former_tokens.kind': ['Access', 'Refresh'],
  'installer_keys.key_type': ['UsageBased', 'Persistent'],
  'job_runs.name': ['sessions', 'logon tokens'],
  'passkeys.device_type': ['SingleDevice', 'MultiDevice'],
  'passkeys.transports': ['{internal,hybrid}', '{}'],
  'permission_assignments.effect': ['Allow', 'Deny'],
  'permission_assignments.permission_name': ['devices.read', 'server.tenants.read'],
  'schema_floor.made_by': ['0.1.0', ''],
  'schema_floor.release': ['0.1.0', ''],
  'security_events.kind': ['SignedIn', 'SignedOut'],
  'server_secrets.name': ['PasskeyChallenges', 'RefreshTokens'],
  'service_accounts.kind': ['Tenant', 'Server'],
  'sessions.method': ['Bearer', 'Passkey'],
  'source_failures.source': ['address:192.0.2.1', 'address:2001:db8::/64'],
  'tags.type': ['Permission', 'Permission'],
  'users.account_type': ['User', 'ExternalUser'],
  access_mode: ['Restricted', 'Unrestricted'],
  actor_principal_type: ['User', 'User'],
  created_by_principal_type: ['User', 'User'],
  creator_kind: ['User', 'TenantServiceAccount'],
  local_ip_v4: ['192.0.2.11', '192.0.2.12'],
  local_ip_v6: ['2001:db8::11', '2001:db8::12'],
  maker_kind: ['User', 'ServiceAccount'],
  normalized_email: ['EMAIL@1.EXAMPLE', ''],
  normalized_user_name: ['USER@1.EXAMPLE', 'user@2.example'],
  permission_mode: ['Restricted', 'InheritOwner'],
  principal_kind: ['User', 'User'],
  public_ip_v4: ['198.51.100.1', '198.51.100.2'],
  public_ip_v6: ['2001:db8:1::1', '2001:db8:1::2'],
  scope_kind: ['Tenant', 'Server'],
  state: ['running', 'stopping'],
  user_name: ['user@1.example', 'user@2.example'],
  version: ['0.1.0', '0.1.0'],
};

/** Columns with the id of a row of another table whose name does not say which. */
const REFERENCES: Readonly<Record<string, string>> = {
  actor_principal_id: 'users',
  created_by_principal_id: 'users',
  created_by_user_id: 'users',
  creator_id: 'users',
  maker_id: 'users',
  owning_tenant_id: 'tenants',
  principal_id: 'users',
  scope_id: 'tenants',
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly length: number | null;
  readonly isNullable: boolean;
}

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type,
    CASE WHEN a.atttypid = 'varchar'::regtype THEN a.atttypmod - 4 END AS length, NOT a.attnotnull AS "isNullable"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
  ORDER BY c.oid, a.attnum`;

/** Returns a row's value in a column, as PostgreSQL reads it. */
function valueOf(column: Column, row: 1 | 2, tables: ReadonlySet<string>): string | null {
  const { table, name, type, length, isNullable } = column;
  if (isNullable && row === 2) return null;
  const named = VALUES[`${table}.${name}`] ?? VALUES[name];
  if (named !== undefined) return named[row - 1] ?? null;
  const target = REFERENCES[name] ?? `${name.replace(/_id$/, '')}s`;
  if (name.endsWith('_id') && tables.has(target)) return type === 'uuid' ? idOf(`${target}.id`, row) : textOf('node', row, length);
  if (type === 'uuid') return idOf(`${table}.${name}`, row);
  if (type === 'bytea') return `\\x${digestOf(`${table}.${name}`, row)}`;
  if (type === 'boolean') return String(row === 1);
  if (type === 'timestamp with time zone') return `2026-01-0${row}T08:30:00Z`;
  if (type === 'text[]') return `{${textOf(name, row, null)}}`;
  if (type === 'integer[]') return '{1,2}';
  if (type === 'jsonb') return '{}';
  if (/^(small|big)?int(eger)?$|^double/.test(type)) return String(row);
  return textOf(name === 'id' || name === 'name' ? table.replace(/s$/, '') : name, row, length);
}

function digestOf(text: string, row: number): string {
  return createHash('sha256').update(`${text} ${row}`).digest('hex');
}

function idOf(text: string, row: number): string {
  return digestOf(text, row).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

function textOf(name: string, row: number, length: number | null): string {
  return `${name.replaceAll('_', ' ')} ${row}`.slice(-(length ?? Infinity));
}

async function fill(dataSource: DataSource): Promise<void> {
  const columns = await dataSource.query<Column[]>(COLUMNS);
  const tables = new Set(columns.map(({ table }) => table));
  for (const table of tables) {
    if (FILLED.includes(table)) continue;
    const own = columns.filter((column) => column.table === table);
    for (const row of table === 'schema_floor' ? ([1] as const) : ([1, 2] as const)) {
      const places = own.map((_, index) => `$${index + 1}`).join(', ');
      await dataSource.query(
        `INSERT INTO ${table} (${own.map(({ name }) => name).join(', ')}) VALUES (${places})`,
        own.map((column) => valueOf(column, row, tables)),
      );
    }
  }
}

/** The rows of all tables, as statements. */
async function rowsOf(dataSource: DataSource): Promise<readonly string[]> {
  const columns = await dataSource.query<Column[]>(COLUMNS);
  const statements: string[] = [];
  for (const table of new Set(columns.map((column) => column.table))) {
    // The migration itself makes its row.
    if (table === 'server_alerts') continue;
    const names = columns.filter((column) => column.table === table).map(({ name }) => `"${name}"`);
    const texts = names.map((name) => `quote_nullable(${name}::text)`).join(', ');
    const rows = await dataSource.query<{ row: string }[]>(`SELECT concat_ws(', ', ${texts}) AS row FROM "${table}" ORDER BY 1`);
    if (rows.length === 0) throw new Error(`Table ${table} has no rows.`);
    const values = rows.map(({ row }) => `\n  (${row})`).join(',');
    statements.push(`INSERT INTO ${table} (${names.join(', ')}) VALUES${values}`);
  }
  return statements;
}

/** Records the statements that change the schema. */
class Recorder implements Logger {
  readonly statements: string[] = [];

  logQuery(query: string): void {
    if (/^\s*(CREATE|ALTER)\b/.test(query)) this.statements.push(query);
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}

const folder = await mkdtemp(join(tmpdir(), 'first-schema-'));
// As root, the bundled PostgreSQL runs as another account, which must be able to enter the folder.
await chmod(folder, 0o755);
const server = await LocalPostgres.start({ dataDirectory: folder, log: console });
try {
  const recorder = new Recorder();
  const dataSource = new DataSource({
    ...dataSourceOptions(server.superuserConnection, [], { name: 'schema', size: 1 }),
    migrations: [FirstSchema1763650000000],
    logging: ['query'],
    logger: recorder,
  });
  await dataSource.initialize();
  await dataSource.runMigrations({ transaction: 'all' });
  const schema = [...recorder.statements];
  await dataSource.query(`SET TimeZone = 'UTC'`);
  await fill(dataSource);
  const rows = await rowsOf(dataSource);
  await dataSource.destroy();
  const statements = [
    ...schema,
    '-- Without triggers: these rows are what they have made of them.\nSET session_replication_role = replica',
    ...rows,
    'SET session_replication_role = DEFAULT',
    `SELECT setval('migrations_id_seq', (SELECT max(id) FROM migrations))`,
  ];
  await writeFile(FILE, HEAD + statements.map((statement) => `${statement};\n`).join(''));
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}
