import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';

import { busy, messageOf } from '../errors/errors.js';
import { Bulkhead } from './bulkhead.js';

/** Maximum number of works that run at the same time, each with a connection to the database. */
const MAXIMUM_RUNNING = 2;
/** Maximum number of works that run or wait. */
const MAXIMUM_UNDER_WAY = 500;

/** Does work after its request was answered, so that neither the answer nor its time shows if there was any work. */
@Injectable()
export class AfterAnswer implements BeforeApplicationShutdown {
  private readonly logger = new Logger('AfterAnswer');
  private readonly turns = new Bulkhead({ running: MAXIMUM_RUNNING, waiting: MAXIMUM_UNDER_WAY, what: 'requests' });
  private readonly underWay = new Set<Promise<void>>();

  /**
   * Takes work that begins in a later turn of the event loop. What it throws is logged under its name.
   * @throws DomainError 503 when too much of it waits
   */
  add(what: string, work: () => Promise<unknown>): void {
    if (this.underWay.size >= MAXIMUM_UNDER_WAY) throw busy('Too many requests are under way.');
    const done = this.perform(what, work).finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  /** Settles when nothing is left to do. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.idle();
  }

  private async perform(what: string, work: () => Promise<unknown>): Promise<void> {
    await nextTurn();
    try {
      await this.turns.run(work);
    } catch (error) {
      this.logger.warn({ message: 'What was asked for could not be done after the answer.', what, reason: messageOf(error) });
    }
  }
}
