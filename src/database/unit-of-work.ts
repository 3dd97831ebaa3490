import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { conflict } from '../common/errors.js';
import { codeOf } from '../common/system-error.js';
import { InvalidationBus } from './invalidation-bus.js';
import type { Topic } from './invalidation-topics.js';

/** Anything with the connection that its SQL runs on. */
interface Connected {
  readonly manager: EntityManager;
}

/** A context whose SQL runs in one transaction. */
export type InTransaction<C> = C & { readonly transaction: Transaction };

/** Messages for unique constraints, by the name of the constraint. A violation is answered with 409 and its message. */
export type UniqueRules = Readonly<Record<string, string>>;

const UNIQUE_VIOLATION = '23505';
/** Serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAXIMUM_ATTEMPTS = 4;

/** The open transaction. It collects what caches must forget when it has committed. */
export class Transaction {
  readonly touched = new Set<string>();
  touchedEverything = false;

  /** Caches will forget this key of the topic when the transaction has committed. */
  touch(topic: Topic, id: string): void {
    this.touched.add(`${topic}:${id}`);
  }

  /** Caches will forget everything. For work that touches more than is worth listing. */
  touchEverything(): void {
    this.touchedEverything = true;
  }
}

/**
 * Runs work in one transaction. After a deadlock or serialization failure the work is run again, so that it must have no effect
 * outside the database. The caches of this node forget what the work touched before the call returns; triggers tell other nodes.
 */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invalidations: InvalidationBus,
  ) {}

  /** Runs the work and returns its result after the commit. Joins the transaction when the context is in one already. */
  async run<C extends Connected, T>(context: C, work: (context: InTransaction<C>) => Promise<T>, unique: UniqueRules = {}): Promise<T> {
    try {
      return isInTransaction(context) ? await work(context) : await this.runOwn(context, work);
    } catch (error) {
      const constraint = violatedUniqueConstraint(error);
      if (constraint !== null && unique[constraint] !== undefined) throw conflict(unique[constraint]);
      throw error;
    }
  }

  private async runOwn<C extends Connected, T>(context: C, work: (context: InTransaction<C>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const transaction = new Transaction();
      try {
        const result = await this.dataSource.transaction((manager) => work({ ...context, manager, transaction }));
        if (transaction.touchedEverything) this.invalidations.forgetAll();
        else this.invalidations.forget(transaction.touched);
        return result;
      } catch (error) {
        if (attempt === MAXIMUM_ATTEMPTS || !RETRYABLE.has(codeOf(error) ?? '')) throw error;
      }
    }
  }
}

function isInTransaction<C extends Connected>(context: C): context is InTransaction<C> {
  return 'transaction' in context && context.transaction instanceof Transaction;
}

function violatedUniqueConstraint(error: unknown): string | null {
  if (codeOf(error) !== UNIQUE_VIOLATION) return null;
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : null;
}
