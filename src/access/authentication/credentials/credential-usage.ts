import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { CredentialsRepository, type UsedCredentialTable } from './credentials.repository.js';

/** Interval at which collected uses are written. One minute is exact enough for a "last used" time. */
const WRITE_INTERVAL_MS = 60_000;

/** Collects the times at which credentials were used and writes them in batches. One write per request would cost more than the request. */
@Injectable()
export class CredentialUsage implements BeforeApplicationShutdown {
  private readonly logger = new Logger('CredentialUsage');
  private pending = new Map<UsedCredentialTable, Map<string, Date>>();

  constructor(
    private readonly repository: CredentialsRepository,
    private readonly clock: Clock,
  ) {}

  /** Adds a use of a credential at the present time. */
  note(table: UsedCredentialTable, id: string): void {
    let uses = this.pending.get(table);
    if (uses === undefined) this.pending.set(table, (uses = new Map()));
    uses.set(id, this.clock.now());
  }

  /** Writes the uses noted since the last write. */
  @Interval(WRITE_INTERVAL_MS)
  async write(): Promise<void> {
    const collected = this.pending;
    this.pending = new Map();
    for (const [table, uses] of collected) {
      try {
        await this.repository.recordUse(table, uses);
      } catch (error) {
        this.logger.warn(`The last use of ${uses.size} credentials was not written. ${messageOf(error)}`);
      }
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }
}
