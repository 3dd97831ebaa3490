import { Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { callerIdOf, shareOf, type Principal } from '../../../../access/authentication/principals/principal.js';
import { KeyedCounter } from '../../../../platform/common/collections/keyed-counter.js';
import { Shares } from '../../../../platform/common/concurrency/shares.js';
import { busy, type DomainError } from '../../../../platform/common/errors/errors.js';

/** Limits of the number of connections of viewers. */
export class ViewerLimits {
  /** Tenants share them. Each takes some 60 KiB of memory, and far more when it reads slowly. */
  readonly inAll: number = 10_000;
  /** Of one account: a person has some pages open, a service account may serve a whole help desk. */
  readonly ofAccount: number = 1_000;
}

const OF_ACCOUNT = busy('This account has too many hub connections.');
const OF_TENANT = busy('The tenant of this account has too many hub connections.');

/** The connections of viewers. No account and no tenant can take the places of the others. */
@Injectable()
export class ViewerPlaces {
  private readonly accounts = new KeyedCounter();
  private readonly tenants: Shares;

  constructor(private readonly limits: ViewerLimits) {
    this.tenants = new Shares(() => limits.inAll);
    metrics
      .getMeter('viewers')
      .createObservableGauge('viewers.connected', {
        unit: '{account}',
        description: 'Users and other accounts that are connected to this process.',
      })
      .addCallback((result) => result.observe(this.accounts.size));
  }

  /** The reason why a caller cannot have another connection now; null when it can. */
  refusalOf(principal: Principal): DomainError | null {
    if (this.accounts.of(callerIdOf(principal)) >= this.limits.ofAccount) return OF_ACCOUNT;
    return this.tenants.hasRoomFor(shareOf(principal)) ? null : OF_TENANT;
  }

  /** Counts a connection that was opened. */
  take(principal: Principal): void {
    this.accounts.add(callerIdOf(principal), 1);
    this.tenants.add(shareOf(principal));
  }

  /** Gives back the place of a connection that has ended. */
  give(principal: Principal): void {
    this.accounts.add(callerIdOf(principal), -1);
    this.tenants.give(shareOf(principal));
  }
}
