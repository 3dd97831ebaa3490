import { EventEmitter } from 'node:events';

import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Upgrade } from '#libs/signalr';

import type { Principal } from '../../access/authentication/principals/principal.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import type { RefusalLog } from '../../platform/http/problems/refusal-log.js';
import type { RelayHalf } from './relay-half.js';
import type { RelayHomes } from './relay-homes.js';
import { RelayLimits } from './relay-limits.js';
import { RelayMetrics } from './relay-metrics.js';
import { RelayPlaces } from './relay-places.js';
import { RelayRole } from './relay-request.js';
import type { RelaySessions } from './relay-sessions.js';
import { RequestedSessions } from './requested-sessions.js';
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
  let requested: RequestedSessions;
  let begun: [RelayHalf, RelayHalf][];
  let freed: string[];

  beforeEach(() => {
    [begun, freed] = [[], []];
    const limits = new RelayLimits();
    const homes: RelayHomes = {
      find: () => Promise.resolve(null),
      claim: () => Promise.resolve(null),
      take: () => Promise.resolve(true),
      free: (id) => void freed.push(id),
      over: () => undefined,
    };
    const unused = {} as never;
    requested = new RequestedSessions(unused, unused, limits, unused, new Clock(), homes);
    const sessions = {
      begin: (...halves: [RelayHalf, RelayHalf]) => {
        begun.push(halves);
        requested.meet(sessionId, () => undefined);
      },
    } as unknown as RelaySessions;
    const refusals = { log: vi.fn() } as unknown as RefusalLog;
    const places = new RelayPlaces(limits, requested);
    pairing = new RelayPairing(limits, places, requested, sessions, new RelayMetrics(), refusals, new Clock(), homes);
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

  describe('beside a pair that nobody has asked for', () => {
    let third: ReturnType<typeof half>;

    beforeEach(() => {
      pairing.enter(half(RelayRole.Responder).half);
      pairing.enter(half(RelayRole.Requester).half);
      third = half(RelayRole.Requester);
      pairing.enter(third.half);
      expect([begun.length, pairing.isWaiting(sessionId)]).toEqual([1, true]);
    });

    it('keeps the home when a third half leaves, until the pair has left', () => {
      third.upgrade.leave();
      expect([pairing.isWaiting(sessionId), freed]).toEqual([false, []]);
      requested.leave(sessionId);
      expect(freed).toEqual([sessionId]);
    });

    it('keeps the home when the pair leaves, until the third half has left', () => {
      requested.leave(sessionId);
      expect(freed).toEqual([]);
      third.upgrade.leave();
      expect(freed).toEqual([sessionId]);
    });

    it('hands the third half over to no node that wants the session', () => {
      const spliced: Upgrade[] = [];
      expect(pairing.handOver(sessionId, { splice: (handed) => void spliced.push(handed) })).toBe(false);
      expect([spliced, pairing.isWaiting(sessionId)]).toEqual([[], true]);
    });
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
