import { Injectable } from '@nestjs/common';

import { idOf, shareOf, type Principal } from '../../../access/authentication/principals/principal.js';
import { KeyedBulkhead } from '../../../platform/common/concurrency/bulkhead.js';
import { FairBulkhead } from '../../../platform/common/concurrency/fair-bulkhead.js';
import { observeWork } from '../../../platform/common/concurrency/work-metrics.js';
import { BoundedReads } from '../../../platform/database/queries/bounded-reads.js';
import { DevicesRepository, type DeviceSearch, type FoundDevices } from '../devices.repository.js';

/** Time-out of each statement of a search. The slowest of goal 17 takes a thirtieth of it among 100,000 devices. */
const TIMEOUT_MS = 5_000;
const TOO_SLOW = `The search took longer than ${TIMEOUT_MS / 1_000} seconds. Use fewer filters and orders, or a longer text to look for.`;
/** Most searches of one caller at a time: a person's next one may overlap with the last, a program may serve several people. */
const PER_CALLER = { running: 4, waiting: 50, what: 'searches of yours' };
/** Most searches at a time, which tenants share. The other connections to the database stay for requests that are answered at once. */
const IN_ALL = { running: 10, waiting: 500, what: 'searches' };

/** Runs searches so that the most expensive ones delay only other searches. */
@Injectable()
export class DeviceSearches {
  private readonly perCaller = new KeyedBulkhead(PER_CALLER);
  private readonly inAll = new FairBulkhead(IN_ALL);

  constructor(
    private readonly repository: DevicesRepository,
    private readonly reads: BoundedReads,
  ) {
    observeWork('searches', () => this.inAll.underWay);
  }

  /** The devices that a search finds. 503 when it takes too long or too many wait; the signal's reason when it fires. */
  run(principal: Principal, search: DeviceSearch, signal: AbortSignal): Promise<FoundDevices> {
    const limits = { timeoutMs: TIMEOUT_MS, refusal: TOO_SLOW, signal };
    const find = (): Promise<FoundDevices> => this.reads.run(limits, (read) => this.repository.search(read, search));
    return this.perCaller.run(`${principal.type}:${idOf(principal)}`, () => this.inAll.run(shareOf(principal), find, signal), signal);
  }
}
