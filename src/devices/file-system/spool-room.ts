import { statfs } from 'node:fs/promises';

import { metrics } from '@opentelemetry/api';

import { callerIdOf, shareOf, type Principal } from '../../access/authentication/principals/principal.js';
import { shareAlone, Shares } from '../../platform/common/concurrency/shares.js';
import { busy, type DomainError } from '../../platform/common/errors/errors.js';

/** Bytes of a file after which the free space is looked at again. Little beside any sensible reserve, and no look for each piece. */
const LOOK_EVERY_BYTES = 8 * 1024 ** 2;
/** Seconds after which a caller may expect that some uploads have ended. */
const RETRY_AFTER_SECONDS = 10;
const HINT = 'Send targetSaveDirectory before the file, and the file need not wait on the server.';

/** Refusals of an upload, by the limit that has no room for it. */
const REFUSALS = {
  principal: 'Your running uploads fill the space that one caller has on the server.',
  tenant: 'Running uploads fill the space that your tenant has on the server.',
  disk: 'The disk of the server is nearly full.',
};

/** Owner of a file: a caller, and the tenant with which it shares the room. */
export interface SpoolOwner {
  readonly principalId: string;
  readonly share: string;
}

/** Returns the owner of a caller's files. */
export function ownerOf(principal: Principal): SpoolOwner {
  return { principalId: callerIdOf(principal), share: shareOf(principal) };
}

/** Bytes of files that may wait on the server. */
export interface SpoolLimits {
  /** Tenants share it. */
  readonly inAll: number;
  readonly ofOnePrincipal: number;
  /** Space that stays free on the disk. */
  readonly reserve: number;
}

/**
 * The room for files that wait on the server. It is counted while their bytes arrive, because senders need not say how many will come,
 * in all, for each tenant and for each principal, so that neither takes the room of the others. A reserve stays free on the disk, on which
 * the bundled PostgreSQL may live.
 */
export class SpoolRoom {
  private readonly tenants: Shares;
  private readonly byPrincipal = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly limits: SpoolLimits,
    spool: 'uploads' | 'downloads',
  ) {
    this.tenants = new Shares(() => limits.inAll);
    metrics
      .getMeter('transfers')
      .createObservableGauge('transfers.spooled', { unit: 'By', description: 'Bytes of files that wait on the server, by spool.' })
      .addCallback((result) => result.observe(this.tenants.taken, { spool }));
  }

  /** The largest file that can wait while no others do. */
  get largestFile(): number {
    return Math.min(shareAlone(this.limits.inAll), this.limits.ofOnePrincipal);
  }

  /** A place for a file, without any bytes yet. Leave it when the file is gone. */
  enter(owner: SpoolOwner): SpoolPlace {
    return new SpoolPlace(this, owner);
  }

  /** Counts bytes that have arrived. @returns whose room is full, and nothing is counted; null when there is room */
  take({ principalId, share }: SpoolOwner, bytes: number): 'principal' | 'tenant' | null {
    const own = (this.byPrincipal.get(principalId) ?? 0) + bytes;
    if (own > this.limits.ofOnePrincipal) return 'principal';
    if (!this.tenants.take(share, bytes)) return 'tenant';
    this.byPrincipal.set(principalId, own);
    return null;
  }

  /** Gives bytes back. */
  give({ principalId, share }: SpoolOwner, bytes: number): void {
    const left = (this.byPrincipal.get(principalId) ?? 0) - bytes;
    this.tenants.give(share, bytes);
    if (left > 0) this.byPrincipal.set(principalId, left);
    else this.byPrincipal.delete(principalId);
  }

  /** Checks that the disk has more left than the reserve. */
  async hasReserve(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize >= this.limits.reserve;
  }
}

/** Part of the room that one file takes. */
export class SpoolPlace {
  private taken = 0;
  private lookAt = 0;

  constructor(
    private readonly room: SpoolRoom,
    private readonly owner: SpoolOwner,
  ) {}

  /** Passes the bytes on, counted. @throws DomainError 503 as soon as there is no room for them */
  async *count(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of bytes) {
      const refusal = await this.take(piece.length);
      if (refusal !== null) throw full(REFUSALS[refusal]);
      yield piece;
    }
  }

  /** Takes room for more bytes. @returns the limit that has no room for them, and none is taken; null when there is room */
  async take(bytes: number): Promise<keyof typeof REFUSALS | null> {
    const refusal = this.room.take(this.owner, bytes);
    if (refusal !== null) return refusal;
    this.taken += bytes;
    if (this.taken < this.lookAt) return null;
    if (await this.room.hasReserve()) {
      this.lookAt = this.taken + LOOK_EVERY_BYTES;
      return null;
    }
    this.room.give(this.owner, bytes);
    this.taken -= bytes;
    return 'disk';
  }

  /** The file is gone. */
  leave(): void {
    this.room.give(this.owner, this.taken);
    this.taken = 0;
    this.lookAt = 0;
  }
}

/** 503: there is no room for a file at the moment. */
export function full(why: string): DomainError {
  return busy(`${why} ${HINT}`, RETRY_AFTER_SECONDS);
}
