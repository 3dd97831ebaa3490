import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { idOf, shareOf, tenantOf } from '../../access/authentication/principals/principal.js';
import { StandingRights, type Standing } from '../../access/authorization/revocation/standing-rights.js';
import { DeviceActivities } from '../../devices/device-activity/device-activities.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../devices/device-activity/device-activity-kinds.js';
import { RelaySocket } from './pipe/relay-socket.js';
import type { RequesterHalf, ResponderHalf } from './relay-half.js';
import { RelayLimits } from './relay-limits.js';
import { RelayMetrics } from './relay-metrics.js';
import { RelaySession, SessionEnd } from './relay-session.js';
import { HeldRoom } from './remote-control/held-message.js';
import { RemoteControlGates } from './remote-control/remote-control-gates.js';
import { RequestedSessions, type RequestedSession } from './requested-sessions.js';
import { SessionChangeLog } from './session-change-log.js';

const OUTCOMES: Readonly<Record<SessionEnd, DeviceActivityOutcome>> = {
  [SessionEnd.Closed]: DeviceActivityOutcome.Completed,
  [SessionEnd.Right]: DeviceActivityOutcome.Completed,
  [SessionEnd.Ended]: DeviceActivityOutcome.Completed,
  [SessionEnd.Silent]: DeviceActivityOutcome.Failed,
  [SessionEnd.Violation]: DeviceActivityOutcome.Failed,
  [SessionEnd.Stop]: DeviceActivityOutcome.Interrupted,
};

/** Interval at which a stop looks at the sessions, in milliseconds. */
const STOP_STEP_MS = 50;

/** The payload that a session had passed on when bytes last moved in it, and the looks since then. */
interface Move {
  readonly payloadBytes: number;
  quietLooks: number;
}

/** The sessions whose two sides are connected. Each has an audit record, and ends with the right that carries it. */
@Injectable()
export class RelaySessions implements OnModuleInit {
  private readonly logger = new Logger('Relay');
  private readonly running = new Set<RelaySession>();
  /** Settle when the sockets of a session are closed. */
  private readonly closing = new Set<Promise<unknown>>();
  private looks: NodeJS.Timeout | undefined;
  private readonly held: HeldRoom;

  constructor(
    private readonly limits: RelayLimits,
    private readonly requested: RequestedSessions,
    private readonly activities: DeviceActivities,
    private readonly rights: StandingRights,
    private readonly metrics: RelayMetrics,
    private readonly changeLog: SessionChangeLog,
  ) {
    this.held = new HeldRoom(limits.heldBytes);
  }

  onModuleInit(): void {
    this.looks = setInterval(() => this.look(), this.limits.lookMs).unref();
  }

  /** Checks that the sockets still live, and ends the sessions of those that do not. A timer calls it. */
  look(): void {
    for (const session of this.running) session.look();
  }

  /** The number of running sessions. */
  get size(): number {
    return this.running.size;
  }

  /** Answers both upgrades, which must have been taken, and passes bytes on until one side ends. */
  begin(requester: RequesterHalf, responder: ResponderHalf): void {
    const sockets = [requester, responder].map(({ upgrade }) => upgrade.socket);
    const { sessionId } = requester.request;
    this.noteClosing(
      sockets.map((socket) => (socket.destroyed ? Promise.resolve() : once(socket, 'close'))),
      () => this.requested.leave(sessionId),
    );
    const requested = this.requested.meet(sessionId, (end) => session.end(end));
    const [viewer, device] = [new RelaySocket(requester.upgrade), new RelaySocket(responder.upgrade)];
    const gates = requested === undefined ? null : this.gatesOf(requested, viewer, device);
    const session: RelaySession = new RelaySession(
      viewer,
      device,
      this.limits,
      this.account(requester, responder, requested, () => session),
      gates,
    );
    this.running.add(session);
    session.begin();
  }

  /**
   * Ends the sessions in which no bytes move any more, and all that are left after so many milliseconds. Settles when their sockets are
   * closed and the change log has their ends.
   */
  async stop(withinMs: number): Promise<void> {
    clearInterval(this.looks);
    const deadline = performance.now() + withinMs;
    const moves = new Map<RelaySession, Move>();
    while (this.running.size > 0 && performance.now() < deadline) {
      for (const session of this.running) if (this.isQuiet(session, moves)) session.end(SessionEnd.Stop, this.limits.stopMs);
      await delay(STOP_STEP_MS);
    }
    const { size } = this.running;
    if (size > 0) this.logger.warn(`Cut off ${size} relay ${size === 1 ? 'session' : 'sessions'} in which bytes still moved.`);
    for (const session of this.running) session.end(SessionEnd.Stop, this.limits.stopMs);
    await Promise.all(this.closing);
    // While there is a database.
    await this.changeLog.settled();
  }

  /**
   * True if nothing has moved in the session for a while. Notes its moves. Looks are counted instead of time, so that a process that stood
   * still reads first the bytes that have arrived.
   */
  private isQuiet(session: RelaySession, moves: Map<RelaySession, Move>): boolean {
    const { payloadBytes, hasUnsent } = session;
    const last = moves.get(session);
    if (last?.payloadBytes !== payloadBytes || hasUnsent) {
      moves.set(session, { payloadBytes, quietLooks: 0 });
      return false;
    }
    last.quietLooks += 1;
    return last.quietLooks * STOP_STEP_MS >= this.limits.quietMs;
  }

  /** The gates between the two sockets of a session whose messages are read; null if they pass as they are. */
  private gatesOf({ rightsWithin, actor }: RequestedSession, viewer: RelaySocket, device: RelaySocket): RemoteControlGates | null {
    if (rightsWithin === null) return null;
    const room = this.held.of(shareOf(actor.principal));
    return new RemoteControlGates(viewer, device, rightsWithin, (message, from) => this.metrics.dropped(message, from), room);
  }

  /** Begins the record of a session and watches over its right. The returned function completes the one and ends the other. */
  private account(
    requester: RequesterHalf,
    responder: ResponderHalf,
    requested: RequestedSession | undefined,
    sessionOf: () => RelaySession,
  ): (end: SessionEnd) => void {
    const { principal, requestId, address, request } = requester;
    const { sessionId } = request;
    const actor = { principal, requestId, remoteAddress: address };
    const activity =
      requested?.activity ??
      this.activities.begin(actor, {
        kind: DeviceActivityKind.Relay,
        tenantId: tenantOf(principal),
        deviceId: null,
        subject: sessionId,
      });
    // A requested session has had its right watched since the request.
    const standing: Standing = { principal, end: () => sessionOf().end(SessionEnd.Right) };
    if (requested === undefined) this.rights.hold(standing);
    const kind = requested?.kind ?? DeviceActivityKind.Relay;
    this.metrics.began(kind);
    if (requested !== undefined) this.changeLog.began(requested);
    const facts = {
      sessionId,
      kind,
      deviceId: requested?.device.id,
      principal: idOf(principal),
    };
    this.logger.log({ message: 'A relay session began.', ...facts, requester: address, responder: responder.address });
    return (end) => {
      const session = sessionOf();
      this.running.delete(session);
      this.rights.release(standing);
      activity.bytesIn = session.requester.payloadBytes;
      activity.bytesOut = session.responder.payloadBytes;
      activity.end(OUTCOMES[end]);
      this.metrics.over({ session, kind, end });
      if (requested !== undefined) this.changeLog.ended(requested, end);
      this.logger.log({ message: 'A relay session ended.', ...facts, end, bytesIn: activity.bytesIn, bytesOut: activity.bytesOut });
    };
  }

  private noteClosing(sockets: readonly Promise<unknown>[], onClosed: () => void): void {
    const closed = Promise.allSettled(sockets).then(onClosed);
    this.closing.add(closed);
    void closed.then(() => this.closing.delete(closed));
  }
}
