import { CONNECTIONS_OF_PROCESS } from '../../../platform/database/connection/reserved-data-source.js';
import { inUnits } from '../../backups/describe-manifest.js';
import { Area, fault, faultsOr, well, type Finding } from '../finding.js';

/** State of the database. Times are in seconds, if not said otherwise. */
export interface DatabaseFacts {
  readonly version: string;
  readonly versionNumber: number;
  readonly user: string;
  readonly database: string;
  readonly size: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly maxConnections: number;
  /** Connections that the server keeps for superusers. */
  readonly reservedConnections: number;
  /** Limits of the account and the database; negative without one. */
  readonly accountLimit: number;
  readonly databaseLimit: number;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: boolean;
  readonly autovacuum: boolean;
  /** In milliseconds; 0 is off. */
  readonly statementTimeout: number;
  readonly mayCreate: boolean;
  readonly foreignTables: number;
  readonly oldest: { readonly pid: number; readonly application: string; readonly age: number } | null;
  /** Lead of this machine's clock over the database's, in milliseconds. */
  readonly clockAheadMs: number;
  /** The processes of the service that use the database. */
  readonly nodes: number;
  /** Migrations that the database lacks, and those that this release does not know; null for a database without any. */
  readonly schema: { readonly missing: number; readonly unknown: number } | null;
}

const OLDEST_VERSION = 140_000;
/** Age of a transaction from which the alert LongTransaction warns too. */
const LONG_TRANSACTION = 900;
/** Shortest time-out of statements that does not cut the service's own work off, in milliseconds. */
const SHORTEST_TIMEOUT_MS = 10 * 60_000;
const INEXACT_CLOCK_MS = 2_000;

/** Findings about the database. `clockToleranceMs` is the difference at which the service is not ready. */
export function databaseFindings(facts: DatabaseFacts, clockToleranceMs: number): readonly Finding[] {
  const { version, user, size } = facts;
  const faults = [
    ...serverFaults(facts),
    ...ownershipFaults(facts),
    ...durabilityFaults(facts),
    ...loadFaults(facts),
    ...clockFaults(facts, clockToleranceMs),
    ...schemaFaults(facts),
  ];
  return faultsOr(faults, well(Area.Database, `PostgreSQL ${version} with ${inUnits(size)} of data, used as ${user}.`));
}

function serverFaults({ version, versionNumber, encoding, isStandby, isReadOnly }: DatabaseFacts): Finding[] {
  const found: Finding[] = [];
  if (versionNumber < OLDEST_VERSION) found.push(fault('database-version', `The server is PostgreSQL ${version}.`));
  if (encoding !== 'UTF8') found.push(fault('database-encoding', `The database has the encoding ${encoding}.`));
  if (isStandby) found.push(fault('database-read-only', 'The server is a standby server.'));
  else if (isReadOnly) found.push(fault('database-read-only', 'default_transaction_read_only is on.'));
  return found;
}

function ownershipFaults({ user, mayCreate, foreignTables }: DatabaseFacts): Finding[] {
  if (!mayCreate) return [fault('database-owner', `The account ${user} may not create tables in the schema of the service.`)];
  if (foreignTables === 0) return [];
  return [fault('database-owner', `${counted(foreignTables, 'table does', 'tables do')} not belong to the account ${user}.`)];
}

function durabilityFaults({ fsync, fullPageWrites, synchronousCommit, autovacuum, statementTimeout }: DatabaseFacts): Finding[] {
  const off = Object.entries({ fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit })
    .filter(([, isOn]) => !isOn)
    .map(([name]) => name);
  const found: Finding[] = [];
  if (off.length > 0) found.push(fault('database-unsafe', `These settings are off: ${off.join(', ')}.`));
  if (!autovacuum) found.push(fault('database-autovacuum', 'The setting autovacuum is off.'));
  if (statementTimeout > 0 && statementTimeout < SHORTEST_TIMEOUT_MS) {
    found.push(fault('database-timeout', `The server ends statements after ${statementTimeout} ms (statement_timeout).`));
  }
  return found;
}

function loadFaults({ maxConnections, reservedConnections, accountLimit, databaseLimit, nodes, oldest, user }: DatabaseFacts): Finding[] {
  const limits = [maxConnections - reservedConnections, accountLimit, databaseLimit].filter((limit) => limit >= 0);
  const allowed = Math.min(...limits);
  const processes = Math.max(1, nodes);
  const needed = processes * CONNECTIONS_OF_PROCESS;
  const found: Finding[] = [];
  if (allowed < needed) {
    const users = counted(processes, 'process of the service needs', 'processes of the service need');
    found.push(fault('database-connections', `The account ${user} can have ${allowed} connections, and ${users} ${needed}.`));
  }
  if (oldest !== null && oldest.age > LONG_TRANSACTION) {
    const name = oldest.application === '' ? 'a program without a name' : oldest.application;
    found.push(
      fault('database-transaction', `A transaction of ${name} (pid ${oldest.pid}) is open for ${Math.round(oldest.age / 60)} minutes.`),
    );
  }
  return found;
}

function clockFaults({ clockAheadMs }: DatabaseFacts, clockToleranceMs: number): Finding[] {
  const difference = Math.abs(clockAheadMs);
  if (difference < INEXACT_CLOCK_MS) return [];
  const what = `The clock of this machine is ${(difference / 1000).toFixed(1)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} that of the database.`;
  return [fault(difference < clockToleranceMs ? 'clock-inexact' : 'clock-wrong', what)];
}

function schemaFaults({ schema, database }: DatabaseFacts): Finding[] {
  if (schema === null) return [fault('database-empty', `The database ${database} has no tables of the service.`)];
  const { missing, unknown } = schema;
  const found: Finding[] = [];
  if (missing > 0)
    found.push(fault('database-schema-old', `The schema lacks ${counted(missing, 'migration', 'migrations')} of this release.`));
  if (unknown > 0) {
    found.push(
      fault('database-schema-new', `The schema has ${counted(unknown, 'migration', 'migrations')} that this release does not know.`),
    );
  }
  return found;
}

/** A number with its noun. */
const counted = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`;
