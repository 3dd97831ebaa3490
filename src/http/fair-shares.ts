import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { KeyedBulkhead } from '../common/bulkhead.js';
import { DomainError, ErrorCode } from '../common/errors.js';
import { addressBlock } from './address-block.js';
import { Strangers } from './strangers.js';
import { TrustedProxies } from './trusted-proxies.js';

/** Answered whatever else an address asks for, so that nobody takes a busy service for a dead one. They cost next to nothing. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/alive']);

/**
 * Decides how much of the service one caller may use at the same time. A request has a place among those of its address until its
 * caller is known, then among those of the caller, and gives it back when it was answered or the client has left. A transfer may
 * last for hours: once it begins, it has a place among the transfers of its caller instead.
 */
@Injectable()
export class FairShares {
  /** Several of these can keep the database busy. The queue has room for the installers and browsers of a company. */
  private readonly anonymous = new KeyedBulkhead({ running: 64, waiting: 256, what: 'anonymous requests of this address' });
  /** Those whose credential is being checked, which takes one query at most. Slow anonymous requests are not in their way. */
  private readonly unknown = new KeyedBulkhead({ running: 64, waiting: 256, what: 'authentications of this address' });
  /** More than a script runs in parallel. An account that uses all of it leaves most of the service to the others. */
  private readonly known = new KeyedBulkhead({ running: 32, waiting: 200, what: 'requests of this account' });
  /** These mostly wait for their readers and senders. Each may take 1 MiB of memory. */
  private readonly transfers = new KeyedBulkhead({ running: 64, waiting: 0, what: 'transfers of this account' });

  constructor(
    private readonly proxies: TrustedProxies,
    private readonly strangers: Strangers,
  ) {}

  /**
   * Gives a request of an anonymous route its place: at once, or when the promise resolves.
   * @throws DomainError 503 when too many of the address wait already
   */
  ofAnonymous(request: Request, path: string): Promise<void> | undefined {
    return PROBES.has(path) ? undefined : this.placeOf(request).moveTo(this.anonymous, this.blockOf(request));
  }

  /**
   * Gives a request whose caller has to be found out its place: at once, or when the promise resolves.
   * @throws DomainError 503 when too many of the address wait already
   */
  ofUnknown(request: Request): Promise<void> | undefined {
    return this.placeOf(request).moveTo(this.unknown, this.blockOf(request));
  }

  /**
   * Gives a request its place among those of its caller instead: at once, or when the promise resolves.
   * @throws DomainError 503 when too many of the caller wait already
   */
  ofKnown(request: Request, callerId: string): Promise<void> | undefined {
    this.strangers.release(request.socket);
    const place = this.placeOf(request);
    place.beginTransfer = () => place.moveTo(this.transfers, callerId);
    return place.moveTo(this.known, callerId);
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
 * Says that from now on a request mainly waits for its reader or its sender. It may go on at once, or when the promise resolves.
 * @throws DomainError 503 when too many transfers of the caller are under way
 */
export function beginTransfer(request: Pick<Request, 'place'>): Promise<void> | undefined {
  return request.place?.beginTransfer();
}

/** The place of one request. */
export class Place {
  private bulkhead: KeyedBulkhead | undefined;
  private key = '';
  private waiting: AbortController | undefined;
  private isClosed = false;

  /** Moves on to the transfers of the caller. Requests of nobody stay where they are. */
  beginTransfer: () => Promise<void> | undefined = () => undefined;

  /** Gives the place back, and takes one elsewhere. */
  moveTo(bulkhead: KeyedBulkhead, key: string): Promise<void> | undefined {
    if (this.isClosed) throw clientGone();
    this.leave();
    if (!bulkhead.tryEnter(key)) return this.waitFor(bulkhead, key);
    this.bulkhead = bulkhead;
    this.key = key;
    return undefined;
  }

  /** Gives the place back for good; a wait for one ends. */
  close(): void {
    this.isClosed = true;
    this.waiting?.abort(clientGone());
    this.leave();
  }

  private async waitFor(bulkhead: KeyedBulkhead, key: string): Promise<void> {
    this.waiting = new AbortController();
    await bulkhead.enter(key, this.waiting.signal);
    this.bulkhead = bulkhead;
    this.key = key;
    // The client may have left just after the place was handed on.
    if (this.isClosed) this.leave();
  }

  private leave(): void {
    const { bulkhead, key } = this;
    this.bulkhead = undefined;
    bulkhead?.leave(key);
  }
}

/** Nobody reads it. */
function clientGone(): DomainError {
  return new DomainError(ErrorCode.RequestTimeout, 'The client has left.');
}
