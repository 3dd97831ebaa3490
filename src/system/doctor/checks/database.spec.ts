import { describe, expect, it } from 'vitest';

import { databaseFindings, type DatabaseFacts } from './database.js';

const SOUND: DatabaseFacts = {
  version: '18.4',
  versionNumber: 180_004,
  user: 'devices',
  database: 'devices',
  size: 40 * 1024 * 1024,
  encoding: 'UTF8',
  isStandby: false,
  isReadOnly: false,
  maxConnections: 100,
  reservedConnections: 3,
  accountLimit: -1,
  databaseLimit: -1,
  fsync: true,
  fullPageWrites: true,
  synchronousCommit: true,
  autovacuum: true,
  statementTimeout: 0,
  mayCreate: true,
  foreignTables: 0,
  oldest: { pid: 7, application: 'psql', age: 900 },
  clockAheadMs: 1_999,
  nodes: 3,
  schema: { missing: 0, unknown: 0 },
};

const found = (facts: Partial<DatabaseFacts>): unknown[] =>
  databaseFindings({ ...SOUND, ...facts }, 20_000).map(({ kind, what }) => [kind, what]);

describe('findings about the database', () => {
  it('are none for a sound one, which is described', () => {
    expect(found({})).toEqual([[null, 'PostgreSQL 18.4 with 40.0 MiB of data, used as devices.']]);
  });

  it.each<[Partial<DatabaseFacts>, string, string]>([
    [{ version: '13.9', versionNumber: 130_009 }, 'database-version', 'The server is PostgreSQL 13.9.'],
    [{ encoding: 'SQL_ASCII' }, 'database-encoding', 'The database has the encoding SQL_ASCII.'],
    [{ isStandby: true, isReadOnly: true }, 'database-read-only', 'The server is a standby server.'],
    [{ isReadOnly: true }, 'database-read-only', 'default_transaction_read_only is on.'],
    [{ mayCreate: false }, 'database-owner', 'The account devices may not create tables in the schema of the service.'],
    [{ foreignTables: 2 }, 'database-owner', '2 tables do not belong to the account devices.'],
    [{ fsync: false, fullPageWrites: false }, 'database-unsafe', 'These settings are off: fsync, full_page_writes.'],
    [{ autovacuum: false }, 'database-autovacuum', 'The setting autovacuum is off.'],
    [{ statementTimeout: 30_000 }, 'database-timeout', 'The server ends statements after 30000 ms (statement_timeout).'],
    [{ nodes: 4 }, 'database-connections', 'The account devices can have 97 connections, and 4 processes of the service need 116.'],
    [{ databaseLimit: 86 }, 'database-connections', 'The account devices can have 86 connections, and 3 processes of the service need 87.'],
    [
      { oldest: { pid: 7, application: '', age: 1_800 } },
      'database-transaction',
      'A transaction of a program without a name (pid 7) is open for 30 minutes.',
    ],
    [{ clockAheadMs: -2_000 }, 'clock-inexact', 'The clock of this machine is 2.0 s behind that of the database.'],
    [{ clockAheadMs: 20_000 }, 'clock-wrong', 'The clock of this machine is 20.0 s ahead of that of the database.'],
    [{ schema: null }, 'database-empty', 'The database devices has no tables of the service.'],
    [{ schema: { missing: 1, unknown: 0 } }, 'database-schema-old', 'The schema lacks 1 migration of this release.'],
    [{ schema: { missing: 0, unknown: 2 } }, 'database-schema-new', 'The schema has 2 migrations that this release does not know.'],
  ])('%j is %s', (facts, kind, what) => {
    expect(found(facts)).toEqual([[kind, what]]);
  });
});
