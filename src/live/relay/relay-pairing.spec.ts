import { EventEmitter } from 'node:events';

import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Upgrade } from '#libs/signalr';

import type { Principal } from '../../access/authentication/principals/principal.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import type { RefusalLog } from '../../platform/http/problems/refusal-log.js';
import type { RelayHalf } from './relay-half.js';
import { RelayLimits } from './relay-limits.js';
import { RelayMetrics } from './relay-metrics.js';
import { RelayPlaces } from './relay-places.js';
import { RelayRole } from './relay-request.js';
import type { RelaySessions } from './relay-sessions.js';
import type { RequestedSessions } from './requested-sessions.js';
import { RelayPairing } from './relay-pairing.js';

/** An upgrade that notes its outcome. */
class FakeUpgrade {
  readonly socket = new EventEmitter();
  status: number | undefined;
  isTaken = false;
  hasLeft = false;
  private onLeave: () => void = () => undefined;

  take(): boolean {
    if (this.hasLeft || this.status !== undefined) return false;
    this.isTaken = true;
    return true;
  }

  hold(onLeave: () => void): boolean {
    this.onLeave = onLeave;
    return !this.hasLeft;
  }

  refuse({ status }: { readonly status: number }): void {
    this.status = status;
    this.socket.emit('close');
  }

  leave(): void {
    this.hasLeft = true;
    this.socket.emit('close');
    this.onLeave();
  }
}

describe('the pairing of halves', () => {
  const sessionId = newGuid();
  const principal: Principal = {
    type: 'ServerServiceAccount',
    id: newGuid(),
    name: 'a',
    credentialId: newGuid(),
    accessMode: 'Restricted',
  };
  let pairing: RelayPairing;
  let begun: [RelayHalf, RelayHalf][];

  beforeEach(() => {
    begun = [];
    const limits = new RelayLimits();
    const requested = {
      answerTo: () => 'may join',
      isRequested: () => false,
      shareOf: () => undefined,
      whenOver: () => undefined,
    } as unknown as RequestedSessions;
    const sessions = { begin: (...halves: [RelayHalf, RelayHalf]) => begun.push(halves) } as unknown as RelaySessions;
    const refusals = { log: vi.fn() } as unknown as RefusalLog;
    pairing = new RelayPairing(limits, new RelayPlaces(limits, requested), requested, sessions, new RelayMetrics(), refusals, new Clock());
  });

  function half(role: RelayRole, accessToken = 'token'): { readonly upgrade: FakeUpgrade; readonly half: RelayHalf } {
    const upgrade = new FakeUpgrade();
    const common = {
      request: { sessionId, accessToken, role, timeoutSeconds: 30 },
      upgrade: upgrade as unknown as Upgrade,
      address: '192.0.2.1',
      requestId: 'request',
    };
    return { upgrade, half: role === RelayRole.Requester ? { ...common, principal } : { ...common, principal: null } };
  }

  it('connects two halves that meet here', () => {
    const [responder, requester] = [half(RelayRole.Responder), half(RelayRole.Requester)];
    pairing.enter(responder.half);
    expect(responder.upgrade.isTaken).toBe(false);
    pairing.enter(requester.half);
    expect(begun).toEqual([[requester.half, responder.half]]);
    expect([responder.upgrade.isTaken, requester.upgrade.isTaken]).toEqual([true, true]);
  });

  it('hands a half that waits over unchanged to another node', () => {
    const spliced: Upgrade[] = [];
    const { upgrade, half: waiting } = half(RelayRole.Requester);
    pairing.enter(waiting);
    expect(pairing.handOver(sessionId, { splice: (handed) => void spliced.push(handed) })).toBe(true);
    expect(spliced).toEqual([upgrade]);
    expect([upgrade.isTaken, upgrade.status, begun, pairing.isWaiting(sessionId)]).toEqual([false, undefined, [], false]);
  });

  it('lets a half go on waiting when its partner has left by the time they meet', () => {
    const [responder, requester] = [half(RelayRole.Responder), half(RelayRole.Requester)];
    pairing.enter(responder.half);
    requester.upgrade.leave();
    pairing.enter(requester.half);
    expect([begun, responder.upgrade.isTaken, responder.upgrade.status]).toEqual([[], false, undefined]);
    const next = half(RelayRole.Requester);
    pairing.enter(next.half);
    expect(begun).toEqual([[next.half, responder.half]]);
  });

  it('refuses a wrong token and a role that is taken, and the one that waits does not notice', () => {
    const [responder, stranger, second] = [
      half(RelayRole.Responder),
      half(RelayRole.Requester, 'another token'),
      half(RelayRole.Responder),
    ];
    for (const arriving of [responder, stranger, second]) pairing.enter(arriving.half);
    expect([responder.upgrade.status, stranger.upgrade.status, second.upgrade.status]).toEqual([undefined, 401, 400]);
    expect(pairing.isWaiting(sessionId)).toBe(true);
  });

  it('refuses waiting halves when it closes, and all later ones', () => {
    const [waiting, late] = [half(RelayRole.Responder), half(RelayRole.Responder)];
    pairing.enter(waiting.half);
    pairing.close();
    pairing.enter(late.half);
    expect([waiting.upgrade.status, late.upgrade.status]).toEqual([503, 503]);
  });
});
