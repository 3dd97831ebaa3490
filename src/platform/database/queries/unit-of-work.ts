import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { conflict, DomainError } from '../../common/errors/errors.js';
import { codeOf } from '../../common/errors/system-error.js';
import { InvalidationBus } from '../invalidation/invalidation-bus.js';
import type { Topic } from '../triggers/invalidation-topics.js';

/** Anything with the connection that its SQL runs on. */
interface Connected {
  readonly manager: EntityManager;
  /**
   * Throws when the caller who asked for the work may no longer do it, as the connection sees it. Rights that end while the work waits for
   * a connection or a lock end the work, too.
   */
  readonly confirm?: ((manager: EntityManager) => Promise<void>) | undefined;
}

/** A context whose SQL runs in one transaction. */
export type InTransaction<C> = C & { readonly transaction: Transaction };

/** Messages for unique constraints, by the name of the constraint. A violation is answered with 409 and its message. */
export type UniqueRules = Readonly<Record<string, string>>;

const UNIQUE_VIOLATION = '23505';
/** Serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAXIMUM_ATTEMPTS = 4;

/** The rights that the work relied on have ended when it is done, by its own changes or another's. */
class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError';
}

/** The open transaction. It collects the keys that caches must forget when it has committed. */
export class Transaction {
  readonly touched = new Set<string>();
  touchedEverything = false;

  /** Makes caches forget this key of the topic when the transaction has committed. */
  touch(topic: Topic, id: string): void {
    this.touched.add(`${topic}:${id}`);
  }

  /** Makes caches forget everything when the transaction has committed. For work that touches more than is worth listing. */
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
    let confirmed: typeof confirmedLast = confirmedLast;
    for (let attempt = 1; ; attempt += 1) {
      const transaction = new Transaction();
      try {
        const result = await this.dataSource.transaction((manager) => confirmed({ ...context, manager, transaction }, work));
        if (transaction.touchedEverything) this.invalidations.forgetAll();
        else this.invalidations.forget(transaction.touched);
        return result;
      } catch (error) {
        if (error instanceof UnconfirmedError && confirmed === confirmedLast) {
          // Everything is undone, so that this fails if others took the right away. Otherwise the work itself did, as when a user leaves a
          // group.
          await context.confirm?.(this.dataSource.manager);
          confirmed = confirmedFirst;
        } else if (attempt >= MAXIMUM_ATTEMPTS || !RETRYABLE.has(codeOf(error) ?? '')) throw error;
      }
    }
  }
}

/** Does the work and confirms it right before the commit, when all waiting is over. */
async function confirmedLast<C extends Connected, T>(tx: InTransaction<C>, work: (tx: InTransaction<C>) => Promise<T>): Promise<T> {
  const result = await work(tx);
  try {
    await tx.confirm?.(tx.manager);
  } catch (error) {
    throw error instanceof DomainError ? new UnconfirmedError() : error;
  }
  return result;
}

/** Confirms the work before it is done: for work that takes away the rights that it relies on. */
async function confirmedFirst<C extends Connected, T>(tx: InTransaction<C>, work: (tx: InTransaction<C>) => Promise<T>): Promise<T> {
  await tx.confirm?.(tx.manager);
  return work(tx);
}

function isInTransaction<C extends Connected>(context: C): context is InTransaction<C> {
  return 'transaction' in context && context.transaction instanceof Transaction;
}

function violatedUniqueConstraint(error: unknown): string | null {
  if (codeOf(error) !== UNIQUE_VIOLATION) return null;
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : null;
}
