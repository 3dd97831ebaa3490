import { setTimeout as wait } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { MigrationExecutor, type DataSource, type Migration, type QueryRunner } from 'typeorm';

import { DatabaseError } from '../../common/errors/database-error.js';
import { messageOf } from '../../common/errors/errors.js';
import { codeOf } from '../../common/errors/system-error.js';
import { partsOf, runSteps, type SteppedMigration } from '../schema/migration-steps.js';
import type { MarkedMigration } from '../schema/schema-floor.js';
import type { MigrationLogger } from './migration-logger.js';

/** SQLSTATEs of a lock that was not free in time, and of transactions that wait for each other. */
const LOCKED = new Set(['55P03', '40P01']);
/**
 * Time for which a migration waits for a lock, in milliseconds. All who need the table wait behind it, so it must be short; but longer than
 * `deadlock_timeout`, after which PostgreSQL ends an autovacuum that holds the table.
 */
const LOCK_TIMEOUT_MS = 3_000;
/** Attempts of an upgrade that finds a table locked, and the pause between two, in which others work. */
const LOCK_ATTEMPTS = 20;
const LOCK_PAUSE_MS = 2_000;
/** Time between two lines about a migration that changes rows in steps, in milliseconds. */
const PROGRESS_MS = 10_000;

const logger = new Logger('Database');

/** Runs some of the migrations of a data source only. */
class PartExecutor extends MigrationExecutor {
  constructor(
    dataSource: DataSource,
    runner: QueryRunner,
    private readonly names: ReadonlySet<string>,
  ) {
    super(dataSource, runner);
    this.transaction = 'all';
  }

  protected override getMigrations(): Migration[] {
    return super.getMigrations().filter(({ name }) => this.names.has(name));
  }
}

/**
 * Runs the migrations that the schema lacks, in one transaction for all between two that run in steps. When a table is locked for long, the
 * transaction is undone, so that those who wait behind it go on, and tried again.
 * @throws DatabaseError when a table stays locked
 */
export async function runMigrations(
  dataSource: DataSource,
  pending: readonly MarkedMigration[],
  migrationLogger: MigrationLogger,
): Promise<void> {
  for (const [at, part] of partsOf(pending).entries()) {
    await unlessLocked(at === 0, migrationLogger, (progress) =>
      onRunner(dataSource, (runner) =>
        'step' in part ? runInSteps({ dataSource, runner, migrationLogger, progress }, part) : runInOne(dataSource, runner, part),
      ),
    );
  }
}

/** Does the work again while it finds a lock that is not free; `progress` says that it came further than the last time. */
async function unlessLocked(
  isFirst: boolean,
  migrationLogger: MigrationLogger,
  work: (progress: () => void) => Promise<void>,
): Promise<void> {
  let attempt = 0;
  for (;;) {
    attempt += 1;
    try {
      await work(() => (attempt = 1));
      migrationLogger.failed = null;
      return;
    } catch (error) {
      if (!LOCKED.has(codeOf(error) ?? '')) throw error;
      if (attempt === LOCK_ATTEMPTS) {
        const changed = isFirst ? 'Nothing was changed.' : 'What it has done is kept, and the next start goes on from there.';
        const message = `The upgrade waits for a table that another connection keeps locked. ${changed} End that connection (SELECT pid, query FROM pg_stat_activity WHERE xact_start IS NOT NULL), then start again.`;
        throw new DatabaseError(message, { cause: error });
      }
      const message = 'The upgrade waits for a table that another connection keeps locked. It gave way to others and tries again.';
      logger.warn({ message, migration: migrationLogger.failed, attempt, attempts: LOCK_ATTEMPTS, reason: messageOf(error) });
    }
    await wait(LOCK_PAUSE_MS);
  }
}

async function onRunner(dataSource: DataSource, work: (runner: QueryRunner) => Promise<void>): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await work(runner);
  } finally {
    try {
      await runner.query('RESET lock_timeout');
    } finally {
      await runner.release();
    }
  }
}

async function runInOne(dataSource: DataSource, runner: QueryRunner, part: readonly MarkedMigration[]): Promise<void> {
  await new PartExecutor(dataSource, runner, new Set(part.map(nameOf))).executePendingMigrations();
}

/** Parts of a run in steps. */
interface Stepping {
  readonly dataSource: DataSource;
  readonly runner: QueryRunner;
  readonly migrationLogger: MigrationLogger;
  readonly progress: () => void;
}

/** The row of the migration is written after its last step, so that a start which was ended goes on with it. */
async function runInSteps({ dataSource, runner, migrationLogger, progress }: Stepping, stepped: SteppedMigration): Promise<void> {
  const migration = nameOf(stepped);
  let [rows, told] = [0, performance.now()];
  try {
    await runSteps(runner, stepped, (changed) => {
      progress();
      rows += changed;
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      logger.log({ message: 'A migration changes rows in steps.', migration, rows });
    });
  } catch (error) {
    migrationLogger.failed = migration;
    throw error;
  }
  const executor = new PartExecutor(dataSource, runner, new Set([migration]));
  executor.fake = true;
  await executor.executePendingMigrations();
}

const nameOf = (migration: MarkedMigration): string => migration.name ?? migration.constructor.name;
