import { Inject, Injectable, Optional, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { hubFailure, type HubResult } from '#libs/contracts';

import { callerIdOf, shareOf, type Principal } from '../../access/authentication/principals/principal.js';
import type { DeviceResource } from '../../access/authorization/evaluation/rules.js';
import type { PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import { StandingRights, type Standing } from '../../access/authorization/revocation/standing-rights.js';
import { DeviceActivities, type ActivityActor, type RemoteControlFacts } from '../../devices/device-activity/device-activities.js';
import { DeviceActivityOutcome, SessionConsent, type DeviceActivityKind } from '../../devices/device-activity/device-activity-kinds.js';
import type { RunningActivity } from '../../devices/device-activity/running-activity.js';
import { KeyedCounter } from '../../platform/common/collections/keyed-counter.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { InvalidationBus, type InvalidationListener } from '../../platform/database/invalidation/invalidation-bus.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { RELAY_HOMES, type RelayHomes } from './relay-homes.js';
import { RelayLimits } from './relay-limits.js';
import { SessionEnd } from './relay-session.js';
import type { SessionRights } from './remote-control/session-rights.js';
import { SessionMemory } from './session-memory.js';

/** A session that a viewer asks a device for. */
export interface SessionRequest {
  readonly actor: ActivityActor;
  readonly kind: DeviceActivityKind;
  readonly device: DeviceResource;
  /** The permission that the viewer needs on the device as long as the session lasts. */
  readonly permission: PermissionDefinition;
  /** The session as the relay knows it. */
  readonly sessionId: string;
  /** The rights of the viewer within the session, if the relay reads its messages. The booking releases them. */
  readonly rightsWithin: SessionRights | null;
  /** The facts of a remote control session. */
  readonly remoteControl?: RemoteControlFacts;
}

/** A session that a viewer has asked a device for, until both its halves are gone. */
export interface RequestedSession extends SessionRequest {
  /** Its audit record, which has begun. */
  readonly activity: RunningActivity;
}

/** Ends the connected halves of a session. */
type EndPair = (end: SessionEnd.Right | SessionEnd.Ended) => void;

/** A session id that is taken. It ends when the right does, even if its halves have met. */
interface Booking extends RequestedSession {
  readonly caller: string;
  readonly standing: Standing;
  timer: NodeJS.Timeout | undefined;
  /** Ends the connected halves; null before they have met. */
  endPair: EndPair | null;
}

/** The answer to a half that arrives: it may join, or another account has booked the session, or it has both halves, or it is over. */
export type JoinAnswer = 'may join' | 'booked by another' | 'complete' | 'over';

const TAKEN = 'The sessionId is taken: choose a new one for each session.';
const STOPPING = 'The server is restarting. Try again in a moment.';
const TOO_MANY = 'This account has asked for too many sessions. Try again later.';

/**
 * The sessions that viewers ask devices for through the hub. A request books the session id. The booking lasts until both halves are
 * gone, or until they have not met in time; the id is not used again for as long as a half may wait. So no half of a requested session
 * is ever connected past its record and its right.
 */
@Injectable()
export class RequestedSessions implements OnModuleInit, OnApplicationShutdown, InvalidationListener {
  private readonly bookings = new Map<string, Booking>();
  /** The number of connected pairs of sessions that were not requested, by session. */
  private readonly unrequested = new KeyedCounter();
  private readonly callers = new KeyedCounter();
  private readonly memory: SessionMemory;
  private isClosed = false;
  private turnAway: (sessionId: string) => void = () => undefined;
  private unpaired: (sessionId: string) => void = () => undefined;

  constructor(
    private readonly activities: DeviceActivities,
    private readonly rights: StandingRights,
    private readonly limits: RelayLimits,
    private readonly invalidations: InvalidationBus,
    clock: Clock,
    @Optional() @Inject(RELAY_HOMES) private readonly homes?: RelayHomes,
  ) {
    this.memory = new SessionMemory(limits, () => clock.milliseconds());
  }

  onModuleInit(): void {
    this.invalidations.subscribe(this);
  }

  /** Ends a session that another user ends, in this process or another one. */
  forget(topic: string, id: string): void {
    const booking = topic === Topic.RelaySession ? this.bookings.get(id) : undefined;
    if (booking !== undefined) this.cut(booking, SessionEnd.Ended);
  }

  /** Rights are watched by themselves; a session that another user ends in a missed message goes on. */
  forgetAll(): void {}

  onApplicationShutdown(): void {
    for (const { timer } of this.bookings.values()) clearTimeout(timer);
  }

  /** Sets the function that turns away the halves that wait for a session whose booking has ended. */
  whenOver(turnAway: (sessionId: string) => void): void {
    this.turnAway = turnAway;
  }

  /** Sets the function that hears of sessions that were not requested and whose connected halves are gone. */
  whenUnpaired(unpaired: (sessionId: string) => void): void {
    this.unpaired = unpaired;
  }

  /**
   * Books a session, begins its record and asks the device for it with `ask`. Settles once the record is written, or after a time limit.
   * The record of a session that does not come about says that it failed. An id that is taken is refused, and the session that has it does not notice.
   */
  async request(request: SessionRequest, ask: () => Promise<HubResult>): Promise<HubResult> {
    const refusal = this.refusalOf(request) ?? (this.homes === undefined ? null : await this.takeHome(request, this.homes));
    if (refusal !== null) {
      request.rightsWithin?.release();
      return hubFailure(refusal);
    }
    const booking = this.book(request);
    try {
      const result = await ask();
      if (!result.isSuccess) this.fail(booking);
      else if (this.isUnmet(booking)) booking.timer = setTimeout(() => this.fail(booking), this.limits.meetingMs).unref();
      await this.untilRecorded();
      return result;
    } catch (error) {
      this.fail(booking);
      throw error;
    }
  }

  /**
   * Settles once the record is written: from the answer on, its viewer may note a recording at any node, which knows the session by it. Does
   * not wait for a silent database longer than the limit. The device has agreed by then, and sessions go on without their record also where the
   * database refuses it. Their recordings do not: those wait for the record, or are refused.
   */
  private async untilRecorded(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.limits.recordMs).unref()));
    await Promise.race([this.activities.settled(), late]);
    clearTimeout(timer);
  }

  /** Makes this node the home of a session. Returns the reason why that cannot be, or null. */
  private async takeHome(request: SessionRequest, homes: RelayHomes): Promise<string | null> {
    try {
      if (!(await homes.take(request.sessionId))) return TAKEN;
    } catch (error) {
      request.rightsWithin?.release();
      throw error;
    }
    // Others may have asked in between.
    const refusal = this.refusalOf(request);
    if (refusal !== null) homes.over(request.sessionId, 0);
    return refusal;
  }

  /** Refuses requests from now on: the relay takes no halves any more. */
  close(): void {
    this.isClosed = true;
  }

  private refusalOf({ sessionId, actor }: SessionRequest): string | null {
    if (this.isClosed) return STOPPING;
    if (this.isTaken(sessionId)) return TAKEN;
    return this.hasRoomFor(callerIdOf(actor.principal)) ? null : TOO_MANY;
  }

  /** True if both halves of a session that nobody has asked for are connected. */
  isPaired(sessionId: string): boolean {
    return this.unrequested.of(sessionId) > 0;
  }

  /** True if a viewer has asked for the session. */
  isRequested(sessionId: string): boolean {
    return this.bookings.has(sessionId);
  }

  /** The share of the relay that a requested session uses; undefined if no viewer has asked for it. */
  shareOf(sessionId: string): string | undefined {
    const booking = this.bookings.get(sessionId);
    return booking === undefined ? undefined : shareOf(booking.actor.principal);
  }

  /** The answer to a half of the session: a requester with its principal, or a responder. */
  answerTo(sessionId: string, principal: Principal | null): JoinAnswer {
    if (this.memory.has(sessionId)) return 'over';
    const booking = this.bookings.get(sessionId);
    if (principal !== null && booking !== undefined && booking.caller !== callerIdOf(principal)) return 'booked by another';
    return booking === undefined || booking.endPair === null ? 'may join' : 'complete';
  }

  /** Notes that the halves of a session are connected. Returns the session if a viewer has asked for it; `endPair` is called when its right ends, or another user ends it. */
  meet(sessionId: string, endPair: EndPair): RequestedSession | undefined {
    const booking = this.bookings.get(sessionId);
    if (booking === undefined) {
      this.unrequested.add(sessionId, 1);
      return undefined;
    }
    clearTimeout(booking.timer);
    booking.endPair = endPair;
    // An agent that asks the person at the device joins after a yes only.
    if (booking.activity.consent === SessionConsent.Asked) booking.activity.consent = SessionConsent.Given;
    return booking;
  }

  /** Notes that both halves of a session are gone. */
  leave(sessionId: string): void {
    const booking = this.bookings.get(sessionId);
    if (booking !== undefined) this.end(booking);
    else {
      this.unrequested.add(sessionId, -1);
      this.unpaired(sessionId);
    }
  }

  private isTaken(sessionId: string): boolean {
    return this.bookings.has(sessionId) || this.unrequested.of(sessionId) > 0 || this.memory.has(sessionId);
  }

  private hasRoomFor(caller: string): boolean {
    const booked = this.callers.of(caller);
    return booked < this.limits.requestedOfPrincipal && this.memory.hasRoomFor(caller, booked);
  }

  private book(request: SessionRequest): Booking {
    const { actor, kind, device, permission, sessionId, remoteControl } = request;
    const standing: Standing = {
      principal: actor.principal,
      device: { id: device.id, permission },
      end: () => this.cut(booking, SessionEnd.Right),
    };
    const booking: Booking = {
      ...request,
      activity: this.activities.begin(actor, { kind, tenantId: device.tenantId, deviceId: device.id, subject: sessionId, remoteControl }),
      caller: callerIdOf(actor.principal),
      standing,
      timer: undefined,
      endPair: null,
    };
    this.bookings.set(sessionId, booking);
    this.callers.add(booking.caller, 1);
    this.rights.hold(standing);
    return booking;
  }

  private isUnmet(booking: Booking): boolean {
    return this.bookings.get(booking.sessionId) === booking && booking.endPair === null;
  }

  private cut(booking: Booking, end: Parameters<EndPair>[0]): void {
    if (booking.endPair === null) this.fail(booking);
    else booking.endPair(end);
  }

  /** Ends a booking whose halves have not met. */
  private fail(booking: Booking): void {
    if (!this.isUnmet(booking)) return;
    this.end(booking);
    booking.activity.end(DeviceActivityOutcome.Failed);
    this.turnAway(booking.sessionId);
  }

  private end({ sessionId, caller, standing, rightsWithin, timer }: Booking): void {
    clearTimeout(timer);
    this.rights.release(standing);
    rightsWithin?.release();
    this.bookings.delete(sessionId);
    this.callers.add(caller, -1);
    this.memory.add(sessionId, caller);
    this.homes?.over(sessionId, this.limits.waitMs);
  }
}
