import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { KeyedBulkhead } from '../../common/concurrency/bulkhead.js';
import { FairBulkhead } from '../../common/concurrency/fair-bulkhead.js';
import { observeWork } from '../../common/concurrency/work-metrics.js';
import { DomainError, ErrorCode } from '../../common/errors/errors.js';
import { addressBlock } from '../addresses/address-block.js';
import { PROBE_PATHS } from '../addresses/probe-paths.js';
import { TrustedProxies } from '../addresses/trusted-proxies.js';
import { UnauthenticatedConnections } from './unauthenticated-connections.js';

/**
 * Limits on the part of the service that tenants share. One alone may use nearly all of it, and beside others none takes more than half.
 */
export class TenantLimits {
  /** Limits on requests. Beside others few start at once: they share a thread, on which each waits for those before it. */
  readonly requests = { running: 64, beside: 6, waiting: 4_000, what: 'requests of this tenant' };
  /** Limits on transfers. Each may take 1 MiB of memory. */
  readonly transfers = { running: 2_000, waiting: 0, what: 'transfers of this tenant' };
  /** Limits on requests that wait for events. */
  readonly followers = { running: 200, waiting: 0, what: 'readers of events of this tenant' };
  /**
   * Milliseconds after which a request loses its place among those of its tenant. A longer one waits for a device, or for a statement that
   * has limits of its own.
   */
  readonly turnMs: number = 250;
  /** Time for which a tenant counts after its last request, in milliseconds, so that the others leave room for its next one. */
  readonly rememberedMs: number = 1_000;
}

/** The caller's account, and the share of the service that it uses, which many accounts may have in common. */
export interface Caller {
  readonly id: string;
  readonly share: string;
}

/**
 * Decides how much of the service one caller, and one tenant, may use at the same time. A request has a place among those of its address
 * until its caller is known, then among those of the caller and among those of all tenants, and gives them back when it was answered or
 * the client has left. A transfer may last for hours: once it begins, it has places among the transfers instead.
 */
@Injectable()
export class FairShares {
  /** Anonymous requests, of which several can keep the database busy. The queue has room for the installers and browsers of a company. */
  private readonly anonymous = new KeyedBulkhead({ running: 64, waiting: 256, what: 'anonymous requests of this address' });
  /** Requests whose credential is being checked, which takes one query at most. Slow anonymous requests are not in their way. */
  private readonly unknown = new KeyedBulkhead({ running: 64, waiting: 256, what: 'authentications of this address' });
  /**
   * Requests of known callers: more than a script runs in parallel. An account that uses all of it leaves most of the service to the
   * others.
   */
  private readonly known = new KeyedBulkhead({ running: 32, waiting: 200, what: 'requests of this account' });
  /** Transfers, which mostly wait for their readers and senders. Each may take 1 MiB of memory. */
  private readonly transfers = new KeyedBulkhead({ running: 64, waiting: 0, what: 'transfers of this account' });
  /** Requests that wait for events. Each costs a query for every event of its tenant. */
  private readonly followers = new KeyedBulkhead({ running: 10, waiting: 0, what: 'readers of events of this account' });
  private readonly followersOfTenants: KeyedBulkhead;
  private readonly tenants: FairBulkhead;
  private readonly transfersOfTenants: FairBulkhead;

  constructor(
    private readonly proxies: TrustedProxies,
    private readonly unauthenticated: UnauthenticatedConnections,
    private readonly limits: TenantLimits,
  ) {
    this.tenants = new FairBulkhead(limits.requests, limits.rememberedMs);
    this.transfersOfTenants = new FairBulkhead(limits.transfers);
    this.followersOfTenants = new KeyedBulkhead(limits.followers);
    observeWork('requests', () => this.tenants.underWay);
    observeWork('transfers', () => this.transfersOfTenants.underWay);
  }

  /**
   * Gives a request of an anonymous route its place: at once, or when the promise resolves.
   * @throws DomainError 503 when too many of the address wait already
   */
  ofAnonymous(request: Request, path: string): Promise<void> | undefined {
    return PROBE_PATHS.has(path) ? undefined : this.placeOf(request).moveTo([{ bulkhead: this.anonymous, key: this.blockOf(request) }]);
  }

  /**
   * Gives a request whose caller has to be found out its place: at once, or when the promise resolves.
   * @throws DomainError 503 when too many of the address wait already
   */
  ofUnknown(request: Request): Promise<void> | undefined {
    return this.placeOf(request).moveTo([{ bulkhead: this.unknown, key: this.blockOf(request) }]);
  }

  /**
   * Gives a request its places among those of its caller and of its tenant instead: at once, or when the promise resolves.
   * @throws DomainError 503 when too many of the caller or of the tenant wait already
   */
  ofKnown(request: Request, { id, share }: Caller): Promise<void> | undefined {
    this.unauthenticated.release(request.socket);
    const place = this.placeOf(request);
    place.beginTransfer = () =>
      place.moveTo([
        { bulkhead: this.transfers, key: id },
        { bulkhead: this.transfersOfTenants, key: share },
      ]);
    place.beginFollowing = () =>
      place.moveTo([
        { bulkhead: this.followers, key: id },
        { bulkhead: this.followersOfTenants, key: share },
      ]);
    return place.moveTo([
      { bulkhead: this.known, key: id },
      { bulkhead: this.tenants, key: share, forMs: this.limits.turnMs },
    ]);
  }

  private blockOf(request: Request): string {
    return addressBlock(this.proxies.addressOf(request));
  }

  private placeOf(request: Request): Place {
    if (request.place !== undefined) return request.place;
    const place = new Place();
    request.place = place;
    const response = request.res;
    // The client may have left while its body was read.
    if (response === undefined || response.destroyed) place.close();
    else response.once('close', () => place.close());
    return place;
  }
}

/**
 * Makes a request a transfer, which mainly waits for its reader or its sender. It may continue at once, or when the promise resolves.
 * @throws DomainError 503 when too many transfers of the caller are under way
 */
export function beginTransfer(request: Pick<Request, 'place'>): Promise<void> | undefined {
  return request.place?.beginTransfer();
}

/**
 * Makes a request one that waits for events. It may continue at once, or when the promise resolves.
 * @throws DomainError 503 when too many of the caller or of the tenant wait for events
 */
export function beginFollowing(request: Pick<Request, 'place'>): Promise<void> | undefined {
  return request.place?.beginFollowing();
}

/** Bulkhead and key of a place that a request takes. */
interface Step {
  readonly bulkhead: Pick<KeyedBulkhead | FairBulkhead, 'tryEnter' | 'enter' | 'leave'>;
  readonly key: string;
  /** Milliseconds after which the place is given back, if not before. Without it the place lasts as long as the others. */
  readonly forMs?: number;
}

/** The places of one request. */
export class Place {
  private readonly held = new Set<Step>();
  private waiting: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** Moves to the places of the caller's transfers. Requests without a known caller stay where they are. */
  beginTransfer: () => Promise<void> | undefined = () => undefined;
  /** Moves to the places of the caller's readers of events. */
  beginFollowing: () => Promise<void> | undefined = () => undefined;

  /** Gives the places back, and takes others, one after the other. */
  moveTo(steps: readonly Step[]): Promise<void> | undefined {
    if (this.isClosed) throw clientGone();
    this.leave();
    for (const [index, step] of steps.entries()) {
      if (!step.bulkhead.tryEnter(step.key)) return this.waitFor(steps.slice(index));
      this.hold(step);
    }
    return undefined;
  }

  /** Gives the places back for good; a wait for one ends. */
  close(): void {
    this.isClosed = true;
    this.waiting?.abort(clientGone());
    this.leave();
  }

  private async waitFor(steps: readonly Step[]): Promise<void> {
    const waiting = new AbortController();
    this.waiting = waiting;
    try {
      for (const step of steps) {
        if (!step.bulkhead.tryEnter(step.key)) await step.bulkhead.enter(step.key, waiting.signal);
        this.hold(step);
        // The client may have left just after the place was handed on.
        waiting.signal.throwIfAborted();
      }
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  private hold(step: Step): void {
    this.held.add(step);
    if (step.forMs === undefined) return;
    this.timer = setTimeout(() => this.giveBack(step), step.forMs);
    this.timer.unref();
  }

  private leave(): void {
    clearTimeout(this.timer);
    for (const step of this.held) this.giveBack(step);
  }

  private giveBack(step: Step): void {
    if (this.held.delete(step)) step.bulkhead.leave(step.key);
  }
}

/** Returns the refusal for a client that is gone. Nobody reads it. */
function clientGone(): DomainError {
  return new DomainError(ErrorCode.RequestTimeout, 'The client has left.');
}
