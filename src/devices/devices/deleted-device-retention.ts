import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../../platform/common/runtime/clock.js';
import { RegistrationRepository } from './registration/registration.repository.js';

/** Days for which a deletion is remembered: longer than a machine that still runs its agent is usually switched off. */
export const DELETION_REMEMBERED_DAYS = 730;
/** Deletions that one statement forgets. */
const BATCH = 5_000;

/** Forgets deletions of devices that were so long ago that no agent of theirs is expected any more. */
@Injectable()
export class DeletedDeviceRetention {
  constructor(
    private readonly repository: RegistrationRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Forgets old deletions and returns how many. */
  async forgetOld(signal: AbortSignal): Promise<number> {
    const before = this.clock.daysAgo(DELETION_REMEMBERED_DAYS);
    let forgotten = 0;
    for (let batch = BATCH; batch === BATCH && !signal.aborted; forgotten += batch) {
      batch = await this.repository.forgetDeletionsBefore(this.dataSource.manager, before, BATCH);
    }
    return forgotten;
  }
}
