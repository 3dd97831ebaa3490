import { Injectable } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';

interface Counter {
  count: number;
  readonly windowEnds: number;
}

/** Counters that are kept at most; the oldest go first. */
const MAXIMUM_COUNTERS = 100_000;

/**
 * Counts failed authentications per source address and per credential id, independently, in this process's memory
 * (specification, "Authentication failure throttling"). A counter that reaches the limit refuses until its window passes;
 * a success clears both counters of the attempt.
 *
 * How a stranger is kept from locking out a credential that is in good use elsewhere, as far as that table allows:
 * - an attempt from an address that is already refused is not evaluated and not counted, so one address adds at most the
 *   limit to a credential's counter in its window, and the refusal is never prolonged by further attempts;
 * - each successful use clears the credential's counter, so a credential in steady use is only refused when the limit is
 *   reached between two of its uses;
 * - only ids of credentials that exist have a counter: guessing ids costs no memory and locks nobody out.
 * What remains is the table's own: a stranger who knows a credential's id can refuse it for one window. Credential ids are
 * therefore not shown to those who may not read the account. A limit or a window of 0 or less switches counting off.
 */
@Injectable()
export class AuthenticationFailureLimiter {
  private readonly counters = new Map<string, Counter>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Whether an attempt is refused unseen: its address or its credential has reached the limit. */
  isThrottled(address: string, credentialId: string): boolean {
    if (this.counters.size === 0) return false;
    return this.hasReachedLimit(addressKey(address)) || this.hasReachedLimit(credentialKey(credentialId));
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

  private hasReachedLimit(key: string): boolean {
    const counter = this.counters.get(key);
    if (counter === undefined) return false;
    if (this.clock.milliseconds() < counter.windowEnds) return counter.count >= this.limit;
    this.counters.delete(key);
    return false;
  }

  private count(key: string): void {
    const now = this.clock.milliseconds();
    const counter = this.counters.get(key);
    if (counter !== undefined && now < counter.windowEnds) {
      counter.count += 1;
      return;
    }
    this.counters.delete(key);
    if (this.counters.size >= MAXIMUM_COUNTERS) {
      const oldest = this.counters.keys().next();
      if (!oldest.done) this.counters.delete(oldest.value);
    }
    this.counters.set(key, { count: 1, windowEnds: now + this.windowMilliseconds });
  }
}

const addressKey = (address: string): string => `address ${address}`;
const credentialKey = (id: string): string => `credential ${id}`;
