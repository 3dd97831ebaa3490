import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { AuthenticationService } from '../../authentication/authentication.service.js';
import { credentialIdOf, idOf, type Principal } from '../../authentication/principals/principal.js';
import { sessionIdOf } from '../../authentication/sessions/sessions.js';
import { AuthorizationService } from '../evaluation/authorization.service.js';
import type { PermissionDefinition } from '../permissions/permission.js';

/** Something that lasts only as long as a right: a connection, a subscription, a terminal, a transfer. */
export interface Standing {
  readonly principal: Principal;
  /** The permission on a device that carries it. Without one, the principal's credential carries it alone. */
  readonly device?: {
    readonly id: string;
    readonly permission: PermissionDefinition;
    /** True if it continues when another key speaks for the device, or none: only if nothing of it reaches the agent. */
    readonly outlastsKey?: true;
  };
  /** Ends it. Called at most once. Must not throw. */
  end(cause: EndCause): void;
}

/**
 * The reason for which something that lasts ends: its right has ended; the only key of the device waits for approval; another key than
 * before speaks for the device.
 */
export type EndCause = 'right' | 'key pending' | 'key replaced';

/** Delay of a check after a write, in milliseconds. Writes that change rights come in bursts, and rights are checked once for a burst. */
const CHECK_DELAY_MS = 50;
/** Delay before a check that the database failed is made again, in milliseconds. */
const RETRY_DELAY_MS = 500;
/** Interval, in milliseconds, at which credentials are checked for expiry, which no write announces. */
const EXPIRY_INTERVAL_MS = 1_000;
/** Checks before other work gets its turn. A check takes some microseconds. */
const CHECKS_PER_TURN = 100;

/**
 * Ends what lasts within a second after its right has ended: the permission, the credential, or the account, device or tenant behind
 * them. What uses a device ends, too, when another key speaks for the device, or none. It reacts to the writes that change these, and
 * looks by itself only for credentials that expire.
 */
@Injectable()
export class StandingRights implements InvalidationListener, OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('StandingRights');
  private readonly byPrincipal = new Map<Principal, Set<Standing>>();
  private readonly byDevice = new Map<string, Set<Standing>>();
  /** The device's key in force when each of them began. */
  private readonly keys = new WeakMap<Standing, string>();
  /** Standings to check: single ones, those of these devices, those of these principals and credentials, or all. */
  private unchecked = nothing();
  private nextCheck: NodeJS.Timeout | null = null;
  private isLookingForExpired = false;
  private isStopping = false;

  constructor(
    private readonly authentication: AuthenticationService,
    private readonly authorization: AuthorizationService,
    private readonly invalidations: InvalidationBus,
  ) {}

  onModuleInit(): void {
    this.invalidations.subscribe(this);
  }

  /** Stops checking: everything that lasts ends with the service. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    if (this.nextCheck !== null) clearTimeout(this.nextCheck);
  }

  /**
   * Watches over something whose right the caller has just checked. The right is checked once more soon, because it may have ended
   * between that check and this call. Always {@link release} what has ended by itself.
   */
  hold(standing: Standing): void {
    addTo(this.byPrincipal, standing.principal, standing);
    if (standing.device === undefined) return;
    addTo(this.byDevice, standing.device.id, standing);
    this.unchecked.single.add(standing);
    void this.noteKey(standing, standing.device.id);
    this.checkAfter(CHECK_DELAY_MS);
  }

  /** Stops watching. Does nothing when it is not watched any more. */
  release(standing: Standing): void {
    removeFrom(this.byPrincipal, standing.principal, standing);
    if (standing.device !== undefined) removeFrom(this.byDevice, standing.device.id, standing);
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Device) {
      if (!this.byDevice.has(id)) return;
      this.unchecked.deviceIds.add(id);
    } else if (topic === Topic.UserGroup || topic === Topic.Tenant) this.unchecked.all = true;
    else this.unchecked.holderIds.add(id);
    if (this.byPrincipal.size > 0) this.checkAfter(CHECK_DELAY_MS);
    else this.unchecked = nothing();
  }

  forgetAll(): void {
    this.unchecked.all = true;
    this.checkAfter(CHECK_DELAY_MS);
  }

  /** Ends what depends on credentials that have expired. While no notifications of writes arrive, it checks everything. */
  @Interval(EXPIRY_INTERVAL_MS)
  async endExpired(): Promise<void> {
    if (!this.invalidations.isListening) return this.forgetAll();
    if (this.isLookingForExpired) return;
    this.isLookingForExpired = true;
    try {
      let checks = 0;
      for (const [principal, standings] of this.byPrincipal) {
        if (!(await this.authentication.isStillValid(principal))) for (const standing of standings) this.finish(standing, 'right');
        checks += 1;
        if (checks % CHECKS_PER_TURN === 0) await nextTurn();
      }
    } catch (error) {
      this.logger.warn(`Credentials could not be checked and will be again: ${messageOf(error)}`);
    } finally {
      this.isLookingForExpired = false;
    }
  }

  private async noteKey(standing: Standing, deviceId: string): Promise<void> {
    try {
      const device = await this.authorization.device(deviceId);
      this.keys.set(standing, device?.keyInForce ?? '');
    } catch (error) {
      this.logger.warn({
        message: 'The key of a device could not be read: what begins there now does not end when the key is replaced.',
        deviceId,
        error: messageOf(error),
      });
    }
  }

  private checkAfter(milliseconds: number): void {
    if (this.nextCheck !== null || this.isStopping) return;
    this.nextCheck = setTimeout(() => void this.check(), milliseconds);
    this.nextCheck.unref();
  }

  private async check(): Promise<void> {
    const { unchecked } = this;
    this.unchecked = nothing();
    let delay = CHECK_DELAY_MS;
    try {
      await this.endWithoutRight(this.due(unchecked));
    } catch (error) {
      if (this.isStopping) return;
      this.logger.warn(`Rights could not be checked and will be again: ${messageOf(error)}`);
      this.unchecked.all = true;
      delay = RETRY_DELAY_MS;
    }
    this.nextCheck = null;
    if (!isNothing(this.unchecked)) this.checkAfter(delay);
  }

  private due({ single, deviceIds, holderIds, all }: Unchecked): Set<Standing> {
    const due = new Set(single);
    for (const id of deviceIds) for (const standing of this.byDevice.get(id) ?? []) due.add(standing);
    if (!all && holderIds.size === 0) return due;
    for (const [principal, standings] of this.byPrincipal) {
      if (all || isAmong(principal, holderIds)) for (const standing of standings) due.add(standing);
    }
    return due;
  }

  private async endWithoutRight(due: ReadonlySet<Standing>): Promise<void> {
    let checks = 0;
    for (const standing of due) {
      const cause = this.isHeld(standing) ? await this.endOf(standing) : null;
      if (cause !== null) this.finish(standing, cause);
      checks += 1;
      if (checks % CHECKS_PER_TURN === 0) await nextTurn();
    }
  }

  /** Returns the reason for which it must end now, or null. */
  private async endOf(standing: Standing): Promise<EndCause | null> {
    const { principal, device } = standing;
    if (!(await this.authentication.isStillValid(principal))) return 'right';
    if (device === undefined) return null;
    const resource = await this.authorization.device(device.id);
    if (resource === null || !(await this.authorization.isAllowed(principal, device.permission, resource))) return 'right';
    return device.outlastsKey === true ? null : this.endByKey(standing, resource.keyInForce);
  }

  /** Returns the end by a change of the key, or null. A device that gets its first key keeps its agent. */
  private endByKey(standing: Standing, key: string | null | undefined): EndCause | null {
    if (key === null) return 'key pending';
    const former = this.keys.get(standing) ?? '';
    return former === '' || former === key ? null : 'key replaced';
  }

  private isHeld(standing: Standing): boolean {
    return this.byPrincipal.get(standing.principal)?.has(standing) === true;
  }

  private finish(standing: Standing, cause: EndCause): void {
    if (!this.isHeld(standing)) return;
    this.release(standing);
    standing.end(cause);
  }
}

interface Unchecked {
  readonly single: Set<Standing>;
  readonly deviceIds: Set<string>;
  readonly holderIds: Set<string>;
  all: boolean;
}

function nothing(): Unchecked {
  return { single: new Set(), deviceIds: new Set(), holderIds: new Set(), all: false };
}

function isNothing({ single, deviceIds, holderIds, all }: Unchecked): boolean {
  return !all && single.size + deviceIds.size + holderIds.size === 0;
}

/** Checks whether the principal, its credential, its session or the maker of its logon token has one of the ids. */
function isAmong(principal: Principal, ids: ReadonlySet<string>): boolean {
  const maker = principal.type === 'User' && principal.credential.type === 'LogonToken' ? principal.credential.maker : null;
  const known = [idOf(principal), credentialIdOf(principal), sessionIdOf(principal), maker?.id ?? null, maker?.restrictedTokenId ?? null];
  return known.some((id) => id !== null && ids.has(id));
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function removeFrom<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set?.delete(value) === true && set.size === 0) sets.delete(key);
}
