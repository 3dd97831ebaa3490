import { Injectable, Logger } from '@nestjs/common';

import { BoundedMap } from '../common/bounded-map.js';
import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';

interface Counter {
  count: number;
  readonly windowEnds: number;
}

/** How many counters are kept at most; the oldest are dropped first. */
const MAXIMUM_COUNTERS = 100_000;

/**
 * Counts failed authentications per source address and per credential id, independently, in this process's memory. A counter
 * that reaches the limit refuses until its window passes, and says so once in the log; a success clears both counters of the
 * attempt.
 *
 * How a stranger is kept from locking out a credential that is in good use elsewhere, as far as that table allows:
 * - an attempt from an address that is already refused is not evaluated and not counted, so one address adds at most the
 *   limit to a credential's counter in its window, and the refusal is never prolonged by further attempts;
 * - each successful use clears the credential's counter, so a credential in steady use is only refused when the limit is
 *   reached between two of its uses;
 * - only ids of credentials that exist have a counter: guessing ids costs no memory and locks nobody out.
 * What remains: a stranger who knows a credential's id can have it refused for one window, and learns by it that the
 * credential exists. Credential ids are random, and are not shown to those who may not read the account. A limit or a window of
 * 0 or less switches counting off.
 */
@Injectable()
export class AuthenticationFailureLimiter {
  private readonly logger = new Logger('Authentication');
  private readonly counters = new BoundedMap<string, Counter>(MAXIMUM_COUNTERS);

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Milliseconds for which attempts are refused unseen, because their address or their credential has reached the limit; else 0. */
  refusedFor(address: string, credentialId: string): number {
    if (this.counters.size === 0) return 0;
    return Math.max(this.remainingOf(addressKey(address)), this.remainingOf(credentialKey(credentialId)));
  }

  /** Counts a failure for the address and, when the credential exists, for the credential. */
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
    // Further attempts are refused before they are counted, so that this happens once a window.
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

const addressKey = (address: string): string => `address ${address}`;
const credentialKey = (id: string): string => `credential ${id}`;
