import type pg from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';

import { codeOf } from '../../common/errors/system-error.js';

/*
 * Every advisory lock that the service takes. Nodes of different versions share the database during an upgrade, so that a number
 * must never change. PostgreSQL keeps locks with one number and locks with two apart. The bundled server has a lock of its own,
 * in another database (`libs/local-postgres`).
 */

/** Locks that exist once. */
export const AdvisoryLock = {
  /** One node at a time brings the schema up to date. */
  Migration: 7_201_846_301,
  /** One node at a time creates the first credential. */
  Bootstrap: 7_201_846_302,
  /**
   * Held alone by changes of the server's own accounts, which may administer every tenant, and shared by those of tenants, which
   * take turns under `TenantAdministrators`. Nodes of an older version hold it alone for both.
   */
  Administrators: 7_201_846_303,
  /** Changes that could take an administrator away from the server run one after another. Taken after the locks of tenants. */
  ServerAdministrators: 7_201_846_304,
  /** One visitor at a time registers, so that only one is the first user of the server. */
  Registration: 7_201_846_305,
  /** A process of the service has the database for itself as long as it runs. Processes that know of each other would share it. */
  Service: 7_201_846_306,
  /** One backup of the database at a time. */
  Backup: 7_201_846_307,
  /** One process at a time numbers the events that were committed. */
  EventNumbers: 7_201_846_308,
  /** One process at a time numbers the lines that wait to be forwarded. */
  ForwardingNumbers: 7_201_846_309,
} as const;

/**
 * Locks that exist once for each name. PostgreSQL takes a hash of 32 bits for the name: two names with the same hash share a
 * lock, which only makes one wait for the other.
 */
export const NamedAdvisoryLock = {
  /** One writer at a time changes the assignments of a principal. Named by kind and id of the principal. */
  PrincipalAssignments: 1_885_434_739,
  /** One node at a time runs a background job. Named by the job. */
  BackgroundJob: 1_885_434_740,
  /** One writer at a time changes the texts that an owner keeps in a table, whose number is limited. Named by table and owner. */
  OwnerTexts: 1_885_434_741,
  /** Changes that could take away the last administrator of a tenant run one after another. Named by the tenant. */
  TenantAdministrators: 1_885_434_742,
  /** One node at a time forwards logs. Named by the destination. */
  Forwarding: 1_885_434_743,
} as const;

/** A lock that exists once. */
export type SingleLock = (typeof AdvisoryLock)[keyof typeof AdvisoryLock];
type Named = (typeof NamedAdvisoryLock)[keyof typeof NamedAdvisoryLock];

/** Waits for the lock and holds it until the transaction ends. */
export async function lockUntilCommit(manager: EntityManager, lock: SingleLock): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [lock]);
}

/** As `lockUntilCommit`, beside others that share the lock. */
export async function shareLockUntilCommit(manager: EntityManager, lock: SingleLock): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock_shared($1)', [lock]);
}

/** Waits for the locks of the names, in their order, and holds them until the transaction ends. */
export async function lockNamesUntilCommit(manager: EntityManager, lock: Named, names: readonly string[]): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1, hashtext(name)) FROM unnest($2::text[]) AS name', [lock, names]);
}

/** Runs the work while the connection holds the lock. The lock is released with the connection, however it ends. */
export async function whileLocked<T>(connection: QueryRunner, lock: SingleLock, work: () => Promise<T>): Promise<T> {
  await connection.query('SELECT pg_advisory_lock($1)', [lock]);
  try {
    return await work();
  } finally {
    await connection.query('SELECT pg_advisory_unlock($1)', [lock]);
  }
}

/** As `whileLocked`, with the lock of a name; null, without running the work, when another connection holds it. */
export async function unlessLocked<T>(connection: QueryRunner, lock: Named, name: string, work: () => Promise<T>): Promise<T | null> {
  const parameters = [lock, name];
  const [{ locked }] = (await connection.query('SELECT pg_try_advisory_lock($1, hashtext($2)) AS locked', parameters)) as [
    { locked: boolean },
  ];
  if (!locked) return null;
  try {
    return await work();
  } finally {
    await connection.query('SELECT pg_advisory_unlock($1, hashtext($2))', parameters);
  }
}

// PostgreSQL shows the two halves of a lock's number.
const HELD = `
  SELECT EXISTS (
    SELECT FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
    WHERE coalesce(application_name, '') <> ALL ($2::text[]) AND locktype = 'advisory' AND granted AND objsubid = 1
      AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = ($1::bigint >> 32)::oid AND objid = ($1::bigint & 4294967295)::oid
  ) AS held`;

/** True while a connection to this database holds the lock, other than one of the applications with these names. */
export async function isLockHeld(manager: EntityManager, lock: SingleLock, besides: readonly string[]): Promise<boolean> {
  const [row] = await manager.query<{ readonly held: boolean }[]>(HELD, [lock, besides]);
  return row?.held ?? false;
}

/** Mode in which a connection keeps a lock: beside others that share it, or alone. */
export type LockMode = 'shared' | 'exclusive';

/** SQLSTATE of a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** Time by which the driver gives up later than the server, whose answer gives the reason, in milliseconds. */
const DRIVER_GRACE_MS = 5_000;

/**
 * Takes the lock for as long as the connection lasts.
 * @param waitMs how long it may wait for others, in milliseconds
 * @returns false when others kept the lock so long
 */
export async function lockWhileConnected(client: pg.Client, lock: SingleLock, mode: LockMode, waitMs: number): Promise<boolean> {
  const text = `SELECT ${mode === 'shared' ? 'pg_advisory_lock_shared' : 'pg_advisory_lock'}($1)`;
  await client.query(`SET lock_timeout = ${waitMs}`);
  try {
    await client.query({ text, values: [lock], query_timeout: waitMs + DRIVER_GRACE_MS } as pg.QueryConfig);
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
  await client.query('RESET lock_timeout');
  return true;
}
