import { Injectable } from '@nestjs/common';
import { metrics, type Counter } from '@opentelemetry/api';
import type { EntityManager } from 'typeorm';

import { inBatches } from '../../platform/common/concurrency/in-batches.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import type { Visitor } from '../authentication/visitors/visitors.js';
import { LogRetentions } from '../log-retention/log-retentions.js';
import { RetainedLog } from '../log-retention/retained-log.js';
import type { SecurityEventKind } from './security-event-kinds.js';
import { SecurityEvent } from './security-event.entity.js';
import { SecurityLogRepository } from './security-log.repository.js';

/** An event, and the user whom it concerns. */
export interface SecurityEntry {
  readonly user: { readonly id: string; readonly tenantId: string; readonly userName: string };
  readonly kind: SecurityEventKind;
  /** A detail that the kind leaves open; never a secret. */
  readonly detail?: string;
}

/** The visitor and the id of the request that caused something. */
export interface SecurityOrigin {
  readonly visitor: Visitor;
  readonly requestId: string;
}

/** Longest detail, in characters: the length of the column. */
const MAXIMUM_DETAIL_LENGTH = 256;
/** Sign-ins of a user whose addresses are looked at. */
const COUNTED_SIGN_INS = 1_000;
/** Entries that one statement deletes. */
const REMOVAL_BATCH = 5_000;

/**
 * The security log: sign-ins, sign-outs, failures to sign in, and changes of the ways to sign in. Users read their own entries, and those
 * who may read the users of a tenant read all of its. Failures for names that no user has are in the service's own log only.
 */
@Injectable()
export class SecurityLog {
  private readonly events: Counter;

  constructor(
    private readonly repository: SecurityLogRepository,
    private readonly retentions: LogRetentions,
    private readonly clock: Clock,
  ) {
    this.events = metrics.getMeter('security').createCounter('security.events', {
      unit: '{event}',
      description: 'Entries of the security log, by kind: SignedIn, SignInFailed, LockedOut and others.',
    });
  }

  /** Writes an entry on a connection: that of the change itself where something was changed. */
  async write(manager: EntityManager, { user, kind, detail }: SecurityEntry, { visitor, requestId }: SecurityOrigin): Promise<void> {
    await manager.insert(SecurityEvent, {
      id: newGuid(),
      createdAt: this.clock.now(),
      tenantId: user.tenantId,
      userId: user.id,
      userName: user.userName,
      kind,
      detail: detail?.slice(0, MAXIMUM_DETAIL_LENGTH) ?? null,
      remoteAddress: visitor.remoteAddress,
      userAgent: visitor.userAgent,
      correlationId: requestId,
    });
    this.events.add(1, { kind });
  }

  /** The addresses from which a user has signed in since a time: those of the latest sign-ins. */
  signInAddresses(manager: EntityManager, userId: string, since: Date): Promise<string[]> {
    return this.repository.signInAddresses(manager, userId, since, COUNTED_SIGN_INS);
  }

  /**
   * Deletes entries that are older than `SecurityLogRetentionDays` (0 or less keeps all), and those of tenants that keep theirs for a shorter
   * time. Returns how many.
   */
  async removeOld(manager: EntityManager, signal: AbortSignal): Promise<number> {
    const before = this.retentions.serverExpiry(RetainedLog.SecurityLog);
    let removed = before === null ? 0 : await inBatches(signal, () => this.repository.removeOlder(manager, before, REMOVAL_BATCH));
    for await (const { tenantId, before: own } of this.retentions.tenantExpiries(manager, RetainedLog.SecurityLog, signal)) {
      removed += await inBatches(signal, () => this.repository.removeOlderOf(manager, tenantId, own, REMOVAL_BATCH));
    }
    return removed;
  }
}
