import type { QueryRunner } from 'typeorm';

import type { MarkedMigration } from './schema-floor.js';

/** A migration that changes the rows of a large table a part at a time, each in a transaction of its own. */
export interface SteppedMigration extends MarkedMigration {
  /**
   * A statement that changes at most `$1` rows and finds none of those again. So it goes on where a process was ended, and one that changes
   * none has nothing left to do.
   */
  readonly step: string;
}

/** Rows of the first step, and of the smallest and largest one. */
const FIRST_ROWS = 1_000;
const LEAST_ROWS = 100;
const MOST_ROWS = 50_000;
/** Time that a step should take, in milliseconds: others wait so long for a row. */
const AIM_MS = 200;
/** A step has at most so many times the rows of the one before it. */
const GROWTH = 2;

/** The rows of the next step, after one that took so long. */
export function nextRows(rows: number, tookMs: number): number {
  const aimed = Math.round((rows * AIM_MS) / Math.max(tookMs, 1));
  return Math.min(Math.max(aimed, LEAST_ROWS), rows * GROWTH, MOST_ROWS);
}

function isStepped(migration: MarkedMigration): migration is SteppedMigration {
  return 'step' in migration;
}

/** Runs the steps that are left. `done` is called after each with its number of rows. */
export async function runSteps(runner: QueryRunner, { step }: SteppedMigration, done: (rows: number) => void): Promise<void> {
  for (let rows = FIRST_ROWS; ;) {
    const begun = performance.now();
    // A statement outside of a transaction is committed by itself.
    const { affected = 0 } = await runner.query(step, [rows], true);
    if (affected === 0) return;
    done(affected);
    rows = nextRows(rows, performance.now() - begun);
  }
}

/** Parts of an upgrade, in their order: migrations that run in one transaction, or one that runs in steps. */
export function partsOf(migrations: readonly MarkedMigration[]): readonly (SteppedMigration | readonly MarkedMigration[])[] {
  const parts: (SteppedMigration | MarkedMigration[])[] = [];
  for (const migration of migrations) {
    const last = parts.at(-1);
    if (isStepped(migration)) parts.push(migration);
    else if (Array.isArray(last)) last.push(migration);
    else parts.push([migration]);
  }
  return parts;
}
