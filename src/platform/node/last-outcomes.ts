import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { messageOf } from '../common/errors/errors.js';
import { readRows } from '../database/queries/read-rows.js';

/** Work of nodes whose last outcome each of them shows. */
export enum OutcomeKind {
  HealthReport = 'HealthReport',
  MailDelivery = 'MailDelivery',
}

const STORE = `
  INSERT INTO last_outcomes (kind, stored_at, outcome) VALUES ($1, now(), $2)
  ON CONFLICT (kind) DO UPDATE SET stored_at = excluded.stored_at, outcome = excluded.outcome`;
/** An outcome that is older than every node says nothing about their configuration. */
const FIND = `
  SELECT outcome FROM last_outcomes WHERE kind = $1 AND stored_at >= (SELECT min(started_at) FROM nodes)`;

/** The last outcomes of work that any node does, as JSON. They count until the nodes of their time are gone. */
@Injectable()
export class LastOutcomes {
  private readonly logger = new Logger('LastOutcomes');

  constructor(private readonly dataSource: DataSource) {}

  /** Stores the outcome of work that has been done. A database that cannot take it does not undo the work, so this does not throw. */
  async store(kind: OutcomeKind, outcome: object): Promise<void> {
    try {
      await readRows(this.dataSource.manager, STORE, [kind, JSON.stringify(outcome)]);
    } catch (error) {
      this.logger.warn({ message: 'An outcome could not be stored.', kind, reason: messageOf(error) });
    }
  }

  /** The last outcome of a kind, as its JSON was parsed; null without one. */
  async find(kind: OutcomeKind): Promise<unknown> {
    const [row] = await readRows<{ readonly outcome: unknown }>(this.dataSource.manager, FIND, [kind]);
    return row?.outcome ?? null;
  }
}
