import { Inject, Injectable, Logger, Optional } from '@nestjs/common';

import { plainAnswer, type HttpAnswer } from '#libs/signalr';

import { idOf } from '../../access/authentication/principals/principal.js';
import { busy, type DomainError, messageOf } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { addressBlock } from '../../platform/http/addresses/address-block.js';
import { edgeOf } from '../../platform/http/addresses/edge.js';
import { refusalAnswer } from '../../platform/http/problems/refusal-answer.js';
import { RefusalLog } from '../../platform/http/problems/refusal-log.js';
import { isRequester, type RelayHalf } from './relay-half.js';
import { type Home, RELAY_HOMES, type RelayHomes } from './relay-homes.js';
import { RelayLimits } from './relay-limits.js';
import { meetingOf } from './relay-meeting.js';
import { RelayMetrics } from './relay-metrics.js';
import { RELAY_PATH } from './relay-path.js';
import { RelayPlaces, type Release } from './relay-places.js';
import { RelaySessions } from './relay-sessions.js';
import { RequestedSessions } from './requested-sessions.js';

const NO_PARTNER = plainAnswer(408, 'Timed out while waiting for partner.');
const SHUTDOWN = plainAnswer(503, 'The server is shutting down.');
const WRONG_TOKEN = plainAnswer(401, 'The access token is not that of the session.');
const OTHERS_SESSION = plainAnswer(403, 'Another account has asked for this session.');
const COMPLETE = plainAnswer(400, 'The session has both its sides already.');
const OVER = plainAnswer(403, 'The session is over. Ask for a new one.');
const FULL = busy('Too many sockets wait at the relay.');

/** A half that waits for its partner. */
interface Waiting {
  readonly half: RelayHalf;
  readonly release: Release;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Brings the two sides of a session together. The first one waits, without an answer to its upgrade request, until the other one comes. One
 * that comes with a wrong token, or for a role that is taken, is refused, and the waiting one does not notice.
 */
@Injectable()
export class RelayPairing {
  private readonly waiting = new Map<string, Waiting>();
  private readonly logger = new Logger('Relay');
  private isClosed = false;

  constructor(
    private readonly limits: RelayLimits,
    private readonly places: RelayPlaces,
    private readonly requested: RequestedSessions,
    private readonly sessions: RelaySessions,
    private readonly metrics: RelayMetrics,
    private readonly refusals: RefusalLog,
    private readonly clock: Clock,
    @Optional() @Inject(RELAY_HOMES) private readonly homes?: RelayHomes,
  ) {
    requested.whenOver((sessionId) => this.turnAway(sessionId));
    requested.whenUnpaired((sessionId) => this.freeHome(sessionId));
  }

  /** Takes in a half that has arrived: connects it, lets it wait, or refuses it. */
  enter(half: RelayHalf): void {
    if (this.isClosed) return half.upgrade.refuse(SHUTDOWN);
    const refusal = this.refusalOf(half);
    if (refusal !== null) return this.refuse(half, refusal);
    const release = this.places.take(half);
    if (release === null) return this.refuseBusy(half, FULL);
    // A half that is refused, or leaves, closes its socket.
    half.upgrade.socket.once('close', release);
    const seconds = half.request.timeoutSeconds;
    const waitMs = seconds === 0 ? this.limits.waitMs : Math.min(seconds * 1000, this.limits.waitMs);
    this.meet(half, this.clock.milliseconds() + waitMs);
  }

  /** True while a half of a session waits here. */
  isWaiting(sessionId: string): boolean {
    return this.waiting.has(sessionId);
  }

  /** Refuses those that wait, and all later ones, and requests for sessions, whose halves would be refused. */
  close(): void {
    this.isClosed = true;
    this.requested.close();
    for (const { half } of this.waiting.values()) {
      this.leave(half);
      half.upgrade.refuse(SHUTDOWN);
    }
  }

  /** Lets another node decide about the half that waits for a session. False when both halves are here, even if a third one waits. */
  handOver(sessionId: string, home: Home): boolean {
    if (this.requested.isPaired(sessionId)) return false;
    const waiting = this.waiting.get(sessionId);
    if (waiting === undefined) return true;
    this.forget(waiting);
    home.splice(waiting.half.upgrade);
    return true;
  }

  private meet(half: RelayHalf, expiresAt: number): void {
    const { sessionId, role } = half.request;
    const waiting = this.waiting.get(sessionId);
    if (waiting === undefined) return this.wait(half, expiresAt);
    switch (meetingOf(waiting.half, half)) {
      case 'partner is here':
        return this.connect(half, expiresAt, waiting);
      case 'wrong token':
        return this.refuse(half, WRONG_TOKEN);
      case 'role taken':
        return half.upgrade.refuse(plainAnswer(400, `The session has a ${role} already.`));
    }
  }

  private wait(half: RelayHalf, expiresAt: number): void {
    const { upgrade, request } = half;
    const release = this.requested.isRequested(request.sessionId) ? (): void => undefined : this.places.takeUnexpected(half);
    if (release === null) return this.refuseBusy(half, FULL);
    const timer = setTimeout(
      () => {
        this.leave(half);
        upgrade.refuse(NO_PARTNER);
      },
      Math.max(0, expiresAt - this.clock.milliseconds()),
    );
    this.waiting.set(request.sessionId, { half, release, expiresAt, timer });
    this.metrics.waits(1, request.role);
    if (!upgrade.hold(() => this.leave(half))) this.leave(half);
    else if (this.homes !== undefined && !this.requested.isRequested(request.sessionId)) void this.claim(half, this.homes);
  }

  /** Makes this node the home of the session of a half that waits. One that is at home elsewhere by now goes there. */
  private async claim(half: RelayHalf, homes: RelayHomes): Promise<void> {
    const { sessionId } = half.request;
    try {
      const home = await homes.claim(sessionId);
      if (home !== null && this.waiting.get(sessionId)?.half === half && edgeOf(half.upgrade.request) === undefined) {
        this.handOver(sessionId, home);
      }
    } catch (error) {
      this.logger.warn({ message: 'The home of a session could not be noted.', sessionId, reason: messageOf(error) });
    }
  }

  private connect(half: RelayHalf, expiresAt: number, waiting: Waiting): void {
    const { half: partner } = waiting;
    this.forget(waiting);
    const refusal = this.refusalOf(partner);
    if (refusal !== null) {
      this.refuse(partner, refusal);
      return this.meet(half, expiresAt);
    }
    if (!half.upgrade.take()) return this.meet(partner, waiting.expiresAt);
    if (!partner.upgrade.take()) throw new Error('A half that waits is neither taken nor refused.');
    if (isRequester(half) && !isRequester(partner)) this.sessions.begin(half, partner);
    else if (isRequester(partner) && !isRequester(half)) this.sessions.begin(partner, half);
    else throw new Error('Two halves of one role have met.');
  }

  /** The reason why a half cannot join its session; null when it can. */
  private refusalOf({ request, principal }: RelayHalf): HttpAnswer | null {
    switch (this.requested.answerTo(request.sessionId, principal)) {
      case 'may join':
        return null;
      case 'booked by another':
        return OTHERS_SESSION;
      case 'complete':
        return COMPLETE;
      case 'over':
        return OVER;
    }
  }

  /** Refuses the half that waits for a session which is over. */
  private turnAway(sessionId: string): void {
    const half = this.waiting.get(sessionId)?.half;
    if (half === undefined) return;
    this.leave(half);
    this.refuse(half, OVER);
  }

  /** Ends the wait of a half: its time is over, it has left, or the service stops. */
  private leave(half: RelayHalf): void {
    const { sessionId } = half.request;
    const waiting = this.waiting.get(sessionId);
    if (waiting?.half !== half) return;
    this.forget(waiting);
    this.freeHome(sessionId);
  }

  /** Makes the id of a session free that nobody has asked for, once no half of it is here. */
  private freeHome(sessionId: string): void {
    if (this.isWaiting(sessionId) || this.requested.isPaired(sessionId) || this.requested.isRequested(sessionId)) return;
    this.homes?.free(sessionId);
  }

  private forget({ half, release, timer }: Waiting): void {
    this.waiting.delete(half.request.sessionId);
    this.metrics.waits(-1, half.request.role);
    clearTimeout(timer);
    release();
  }

  private refuseBusy(half: RelayHalf, error: DomainError): void {
    half.upgrade.refuse(refusalAnswer(error, half.requestId));
    this.note(half, error.message);
  }

  private refuse(half: RelayHalf, answer: HttpAnswer): void {
    half.upgrade.refuse(answer);
    this.note(half, answer.body ?? '');
  }

  private note({ principal, address, requestId, request }: RelayHalf, reason: string): void {
    const source = (principal === null ? null : idOf(principal)) ?? addressBlock(address);
    this.refusals.log('A socket was refused.', reason, { source, requestId, path: RELAY_PATH, sessionId: request.sessionId });
  }
}
