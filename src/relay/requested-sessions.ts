import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { HubResult } from '#libs/contracts';

import { callerIdOf, type Principal } from '../authentication/principal.js';
import type { PermissionDefinition } from '../authorization/permission.js';
import type { DeviceResource } from '../authorization/rules.js';
import { DeviceActivities, type ActivityActor } from '../device-activity/device-activities.js';
import { DeviceActivityOutcome, type DeviceActivityKind } from '../device-activity/device-activity-kinds.js';
import type { RunningActivity } from '../device-activity/running-activity.js';

/** How long the two sides may take to meet after the device has accepted, in milliseconds. They wait 30 s for each other. */
const MEETING_MS = 60_000;
/** Sessions that one principal may have asked for and not begun. Beyond, the one that was asked for first counts as failed. */
const MAXIMUM_OF_PRINCIPAL = 500;

/** A session that a viewer asks a device for. */
export interface SessionRequest {
  readonly actor: ActivityActor;
  readonly kind: DeviceActivityKind;
  readonly device: DeviceResource;
  /** What the viewer needs on the device as long as the session lasts. */
  readonly permission: PermissionDefinition;
  /** The session as the relay knows it. */
  readonly sessionId: string;
}

/** A session that a viewer has asked a device for, until its two sides meet. */
export interface RequestedSession extends SessionRequest {
  /** Its audit record, which has begun. */
  readonly activity: RunningActivity;
}

/**
 * The sessions that viewers ask devices for through the hub. The relay learns from here which device a session reaches and what carries
 * it, so that its record says so and it ends with the right.
 */
@Injectable()
export class RequestedSessions implements OnApplicationShutdown {
  /** By session, then by the principal that asked. A principal can only speak for itself. */
  private readonly bySession = new Map<string, Map<string, RequestedSession>>();
  private readonly byPrincipal = new Map<string, Set<RequestedSession>>();
  private readonly timers = new Map<RequestedSession, NodeJS.Timeout>();

  constructor(private readonly activities: DeviceActivities) {}

  onApplicationShutdown(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  /** Begins the record of a session and asks the device for it with `ask`. The record of one that does not come about fails. */
  async request(request: SessionRequest, ask: () => Promise<HubResult>): Promise<HubResult> {
    const { actor, kind, device, sessionId } = request;
    const what = { kind, tenantId: device.tenantId, deviceId: device.id, subject: sessionId };
    const requested = { ...request, activity: this.activities.begin(actor, what) };
    this.add(requested);
    try {
      const result = await ask();
      if (!result.isSuccess) this.fail(requested);
      else if (this.isWaiting(requested)) this.timers.set(requested, setTimeout(() => this.fail(requested), MEETING_MS).unref());
      return result;
    } catch (error) {
      this.fail(requested);
      throw error;
    }
  }

  /** Whether a viewer has asked for the session. */
  isRequested(sessionId: string): boolean {
    return this.bySession.has(sessionId);
  }

  /** Whether the principal may be the requester of the session: it has asked for it, or nobody has. */
  mayJoin(sessionId: string, principal: Principal): boolean {
    return this.bySession.get(sessionId)?.has(callerIdOf(principal)) ?? true;
  }

  /** The session that the principal has asked for, whose sides have met. It is not waited for any more. */
  join(sessionId: string, principal: Principal): RequestedSession | undefined {
    const requested = this.bySession.get(sessionId)?.get(callerIdOf(principal));
    if (requested !== undefined) this.remove(requested);
    return requested;
  }

  private isWaiting(requested: RequestedSession): boolean {
    return this.bySession.get(requested.sessionId)?.get(callerIdOf(requested.actor.principal)) === requested;
  }

  private add(requested: RequestedSession): void {
    const { sessionId, actor } = requested;
    const caller = callerIdOf(actor.principal);
    const former = this.bySession.get(sessionId)?.get(caller);
    if (former !== undefined) this.fail(former);
    const ofPrincipal = this.byPrincipal.get(caller) ?? new Set();
    const [oldest] = ofPrincipal;
    if (ofPrincipal.size >= MAXIMUM_OF_PRINCIPAL) this.fail(oldest);
    this.byPrincipal.set(caller, ofPrincipal.add(requested));
    this.bySession.set(sessionId, (this.bySession.get(sessionId) ?? new Map<string, RequestedSession>()).set(caller, requested));
  }

  private fail(requested: RequestedSession): void {
    if (!this.isWaiting(requested)) return;
    this.remove(requested);
    requested.activity.end(DeviceActivityOutcome.Failed);
  }

  private remove(requested: RequestedSession): void {
    const { sessionId, actor } = requested;
    const caller = callerIdOf(actor.principal);
    clearTimeout(this.timers.get(requested));
    this.timers.delete(requested);
    const ofSession = this.bySession.get(sessionId);
    if (ofSession?.delete(caller) === true && ofSession.size === 0) this.bySession.delete(sessionId);
    const ofPrincipal = this.byPrincipal.get(caller);
    if (ofPrincipal?.delete(requested) === true && ofPrincipal.size === 0) this.byPrincipal.delete(caller);
  }
}
