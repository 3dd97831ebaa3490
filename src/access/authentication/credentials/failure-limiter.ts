import { Injectable, Logger } from '@nestjs/common';

import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { addressBlock } from '../../../platform/http/addresses/address-block.js';

interface Counter {
  count: number;
  readonly windowEnds: number;
}

/** Most counters that are kept. The oldest are dropped first. */
const MAXIMUM_COUNTERS = 100_000;

/**
 * Counts failed authentications in this process's memory, per source address (a /64 of IPv6) and per credential id. When a counter reaches
 * the limit, attempts are refused until its window ends, and the log says so once. A success clears both counters of the attempt. A limit
 * or window of 0 or less switches counting off.
 *
 * Three rules make it hard for an attacker to lock out a credential that another client uses:
 * - Attempts from an address that is already refused are neither evaluated nor counted. So one address adds at most the
 *   limit to a credential's counter per window, and further attempts never prolong the refusal.
 * - Each successful use clears the credential's counter. A credential in steady use is refused only when the limit is
 *   reached between two uses.
 * - Only existing credentials have a counter, so guessing ids costs no memory and locks nobody out.
 *
 * The remaining risk: an attacker who knows a credential's id can have it refused for one window, and so learns that it exists. Ids are
 * random and are shown only to callers who may read the account.
 */
@Injectable()
export class AuthenticationFailureLimiter {
  private readonly logger = new Logger('Authentication');
  private readonly counters = new BoundedMap<string, Counter>(MAXIMUM_COUNTERS);

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Milliseconds for which the attempt is refused without evaluation, because its address or its credential has reached the limit;
   * otherwise 0.
   */
  refusedFor(address: string, credentialId: string): number {
    if (this.counters.size === 0) return 0;
    return Math.max(this.remainingOf(addressKey(address)), this.remainingOf(credentialKey(credentialId)));
  }

  /** Counts a failure for the address and, if the credential exists, for the credential. */
  failed(address: string, credentialId: string | null): void {
    if (this.limit <= 0 || this.windowMilliseconds <= 0) return;
    this.count(addressKey(address));
    if (credentialId !== null) this.count(credentialKey(credentialId));
  }

  /** Clears both counters. */
  succeeded(address: string, credentialId: string): void {
    if (this.counters.size === 0) return;
    this.counters.delete(addressKey(address));
    this.counters.delete(credentialKey(credentialId));
  }

  private get limit(): number {
    return this.settings.appOptions.serviceAccountAuthFailureLimit;
  }

  private get windowMilliseconds(): number {
    return this.settings.appOptions.serviceAccountAuthFailureWindowMinutes * 60_000;
  }

  private remainingOf(key: string): number {
    const counter = this.counters.get(key);
    if (counter === undefined) return 0;
    const remaining = counter.windowEnds - this.clock.milliseconds();
    if (remaining > 0) return counter.count >= this.limit ? remaining : 0;
    this.counters.delete(key);
    return 0;
  }

  private count(key: string): void {
    const counter = this.openCounter(key);
    counter.count += 1;
    // Further attempts are refused before they are counted, so this line is logged once per window.
    if (counter.count === this.limit) this.logRefusal(key, counter);
  }

  private openCounter(key: string): Counter {
    const now = this.clock.milliseconds();
    const known = this.counters.get(key);
    if (known !== undefined && now < known.windowEnds) return known;
    this.counters.delete(key);
    const counter = { count: 0, windowEnds: now + this.windowMilliseconds };
    this.counters.set(key, counter);
    return counter;
  }

  private logRefusal(key: string, { count, windowEnds }: Counter): void {
    const seconds = Math.ceil((windowEnds - this.clock.milliseconds()) / 1000);
    this.logger.warn(`Authentication failed ${count} times for the ${key}, which is refused for ${seconds} seconds.`);
  }
}

const addressKey = (address: string): string => `address ${addressBlock(address)}`;
const credentialKey = (id: string): string => `credential ${id}`;
