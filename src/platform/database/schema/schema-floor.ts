import type { DataSource, MigrationInterface } from 'typeorm';

import { DatabaseError } from '../../common/errors/database-error.js';
import { isBefore } from '../../common/identifiers/version.js';

/** A migration with marks: the releases that still run on the schema after it, and the tables that it locks. */
export interface MarkedMigration extends MigrationInterface {
  /** The oldest release that does. Without a mark, only the release that brings the migration does. */
  readonly runsOn?: string;
  /** The tables that exist before it and whose writers wait for it. The first migration has none. */
  readonly locks?: readonly string[];
}

interface Floor {
  readonly release: string;
  readonly madeBy: string;
}

const EXISTS = `SELECT to_regclass('schema_floor') IS NOT NULL AS exists`;
const READ = 'SELECT release, made_by AS "madeBy" FROM schema_floor';
const WRITE = `
  WITH former AS (DELETE FROM schema_floor WHERE release <> $1)
  INSERT INTO schema_floor (release, made_by) VALUES ($1, $2) ON CONFLICT (release) DO UPDATE SET made_by = excluded.made_by`;

/** The oldest release that runs on a schema after more migrations, which this release brings; `floor` is null for a schema without one. */
export function floorAfter(floor: string | null, added: readonly MarkedMigration[], release: string): string {
  const marks = added.map(({ runsOn }) => runsOn ?? release);
  return marks.reduce((highest, mark) => (isBefore(highest, mark) ? mark : highest), floor ?? '0.0.0');
}

/**
 * Accepts the schema of a newer release if that schema says that this release may run on it.
 * @throws DatabaseError when it may not
 */
export async function requireFloor(dataSource: DataSource, release: string, unknownMigrations: readonly string[]): Promise<void> {
  const floor = await floorOf(dataSource);
  if (floor === null) throw new DatabaseError(undatedRefusal(unknownMigrations));
  if (isBefore(release, floor.release)) {
    throw new DatabaseError(
      `Release ${floor.madeBy} of this service brought the database up to date. It can be used by release ${floor.release} and later, and this is release ${release}. Start a later one, or restore the backup from before the upgrade.`,
    );
  }
}

/**
 * Stores the oldest release that may use the schema after migrations of this release. Does nothing on a schema that cannot store it yet.
 */
export async function raiseFloor(dataSource: DataSource, added: readonly MarkedMigration[], release: string): Promise<void> {
  const [{ exists }] = await dataSource.query<{ exists: boolean }[]>(EXISTS);
  if (added.length === 0 || !exists) return;
  const floor = await floorOf(dataSource);
  await dataSource.query(WRITE, [floorAfter(floor?.release ?? null, added, release), release]);
}

/** Returns the stored floor; null before the schema has one. */
async function floorOf(dataSource: DataSource): Promise<Floor | null> {
  const [{ exists }] = await dataSource.query<{ exists: boolean }[]>(EXISTS);
  if (!exists) return null;
  const [floor] = await dataSource.query<Floor[]>(READ);
  return floor ?? null;
}

function undatedRefusal(unknownMigrations: readonly string[]): string {
  return `The database was brought up to date by a newer version of this service, which made ${unknownMigrations.join(', ')}. Start that version, or restore the backup from before the upgrade.`;
}
