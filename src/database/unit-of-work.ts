import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';

import { conflict } from '../common/errors.js';
import { InvalidationBus } from './invalidation-bus.js';

/** Anything that carries the connection its SQL runs on. */
interface Connected {
  readonly manager: EntityManager;
}

/** A context whose SQL runs in one transaction. */
export type InTransaction<C> = C & { readonly transaction: Transaction };

/** Sentences for unique constraints, by constraint name. A violated one answers 409 with its sentence. */
export type UniqueRules = Readonly<Record<string, string>>;

const UNIQUE_VIOLATION = '23505';
const RETRYABLE = new Set(['40001', '40P01']);
const MAXIMUM_ATTEMPTS = 4;

/** The open transaction: collects what must be forgotten by caches once it has committed. */
export class Transaction {
  readonly touched = new Set<string>();
  touchedEverything = false;

  /** Notes that caches must forget a key of a topic when the transaction commits. */
  touch(topic: string, id: string): void {
    this.touched.add(`${topic}:${id}`);
  }

  /** Notes that caches must forget all they keep: the work touched more than is worth listing. */
  touchEverything(): void {
    this.touchedEverything = true;
  }
}

/**
 * Runs work in one transaction, in full or not at all. A deadlock or serialization failure is tried again, so the work
 * must have no effect outside the database. Caches of this node forget what the work touched before the call returns;
 * other nodes hear of it from the database.
 */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invalidations: InvalidationBus,
  ) {}

  /** The result of the work after its commit; joins the transaction that the context already runs in. */
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
        if (attempt === MAXIMUM_ATTEMPTS || !RETRYABLE.has(sqlStateOf(error))) throw error;
      }
    }
  }
}

function isInTransaction<C extends Connected>(context: C): context is InTransaction<C> {
  return 'transaction' in context && context.transaction instanceof Transaction;
}

function violatedUniqueConstraint(error: unknown): string | null {
  if (sqlStateOf(error) !== UNIQUE_VIOLATION) return null;
  const driverError: unknown = (error as QueryFailedError).driverError;
  return typeof driverError === 'object' && driverError !== null && 'constraint' in driverError ? String(driverError.constraint) : null;
}

function sqlStateOf(error: unknown): string {
  if (!(error instanceof QueryFailedError)) return '';
  const driverError: unknown = error.driverError;
  return typeof driverError === 'object' && driverError !== null && 'code' in driverError ? String(driverError.code) : '';
}
