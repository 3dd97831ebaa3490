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
import { InProcessRelayWaits, type ArrivingHalf, type Home, type Meeting, type RelayWaits } from './relay-waits.js';
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

/** The waits of several nodes, which take a moment to answer, or name another node. */
class DistantWaits implements RelayWaits {
  home: Home | undefined;
  /** Runs while the answer is on its way. */
  meanwhile: () => void = () => undefined;
  readonly met: RelayRole[] = [];
  private readonly waits = new InProcessRelayWaits();

  async meet(half: ArrivingHalf): Promise<Meeting> {
    this.met.push(half.role);
    const meeting = this.home ?? this.waits.meet(half);
    await Promise.resolve();
    const { meanwhile } = this;
    this.meanwhile = (): void => undefined;
    meanwhile();
    return meeting;
  }

  leave(session: string, role: RelayRole): void {
    this.waits.leave(session, role);
  }
}

describe('the pairing on a node among several', () => {
  const sessionId = newGuid();
  const principal: Principal = {
    type: 'ServerServiceAccount',
    id: newGuid(),
    name: 'a',
    credentialId: newGuid(),
    accessMode: 'Restricted',
  };
  let waits: DistantWaits;
  let pairing: RelayPairing;
  let begun: [RelayHalf, RelayHalf][];

  beforeEach(() => {
    waits = new DistantWaits();
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
    pairing = new RelayPairing(
      waits,
      limits,
      new RelayPlaces(limits, requested),
      requested,
      sessions,
      new RelayMetrics(),
      refusals,
      new Clock(),
    );
  });

  function half(role: RelayRole): { readonly upgrade: FakeUpgrade; readonly half: RelayHalf } {
    const upgrade = new FakeUpgrade();
    const common = {
      request: { sessionId, accessToken: 'token', role, timeoutSeconds: 30 },
      upgrade: upgrade as unknown as Upgrade,
      address: '192.0.2.1',
      requestId: 'request',
    };
    return { upgrade, half: role === RelayRole.Requester ? { ...common, principal } : { ...common, principal: null } };
  }

  it('connects two halves that meet here', async () => {
    const [responder, requester] = [half(RelayRole.Responder), half(RelayRole.Requester)];
    await pairing.enter(responder.half);
    expect(responder.upgrade.isTaken).toBe(false);
    await pairing.enter(requester.half);
    expect(begun).toEqual([[requester.half, responder.half]]);
    expect([responder.upgrade.isTaken, requester.upgrade.isTaken]).toEqual([true, true]);
  });

  it('hands a half over unchanged to the node where its partner waits', async () => {
    const spliced: Upgrade[] = [];
    waits.home = { splice: (upgrade) => void spliced.push(upgrade) };
    const { upgrade, half: arriving } = half(RelayRole.Requester);
    await pairing.enter(arriving);
    expect(spliced).toEqual([upgrade]);
    expect([upgrade.isTaken, upgrade.status, begun]).toEqual([false, undefined, []]);
  });

  it('lets a half wait when its partner leaves during the look-up', async () => {
    const [responder, requester] = [half(RelayRole.Responder), half(RelayRole.Requester)];
    await pairing.enter(responder.half);
    waits.meanwhile = (): void => responder.upgrade.leave();
    await pairing.enter(requester.half);
    expect(begun).toEqual([]);
    const next = half(RelayRole.Responder);
    await pairing.enter(next.half);
    expect(begun).toEqual([[requester.half, next.half]]);
  });

  it('lets a half go on waiting when its partner leaves after they have met', async () => {
    const [responder, requester] = [half(RelayRole.Responder), half(RelayRole.Requester)];
    await pairing.enter(responder.half);
    waits.meanwhile = (): void => requester.upgrade.leave();
    await pairing.enter(requester.half);
    expect([begun, responder.upgrade.isTaken, responder.upgrade.status]).toEqual([[], false, undefined]);
    const next = half(RelayRole.Requester);
    await pairing.enter(next.half);
    expect(begun).toEqual([[next.half, responder.half]]);
  });

  it('refuses waiting halves when it closes, and all later ones', async () => {
    const [waiting, late] = [half(RelayRole.Responder), half(RelayRole.Responder)];
    await pairing.enter(waiting.half);
    pairing.close();
    await pairing.enter(late.half);
    expect([waiting.upgrade.status, late.upgrade.status]).toEqual([503, 503]);
  });
});
