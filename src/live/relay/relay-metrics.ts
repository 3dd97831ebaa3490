import { Injectable } from '@nestjs/common';
import { metrics, type Counter, type UpDownCounter } from '@opentelemetry/api';

import type { DeviceActivityKind } from '../../devices/device-activity/device-activity-kinds.js';
import type { RelaySession, SessionEnd } from './relay-session.js';

/** A session that is over, with its kind and the reason of its end. */
interface EndedSession {
  readonly session: Pick<RelaySession, 'requester' | 'responder'>;
  readonly kind: DeviceActivityKind;
  readonly end: SessionEnd;
}

/** The relay in figures, for a process that has been given an exporter for metrics. */
@Injectable()
export class RelayMetrics {
  private readonly waiting: UpDownCounter;
  private readonly open: UpDownCounter;
  private readonly ended: Counter;
  private readonly bytes: Counter;
  private readonly droppedMessages: Counter;

  constructor() {
    const meter = metrics.getMeter('relay');
    this.waiting = meter.createUpDownCounter('relay.sockets.waiting', {
      unit: '{socket}',
      description: 'Sockets that wait for the other side of their session.',
    });
    this.open = meter.createUpDownCounter('relay.sessions.open', {
      unit: '{session}',
      description: 'Sessions whose two sides are connected.',
    });
    this.ended = meter.createCounter('relay.sessions.ended', { unit: '{session}', description: 'Sessions that have ended, by reason.' });
    this.bytes = meter.createCounter('relay.io', { unit: 'By', description: 'Bytes of sessions that have ended, by direction.' });
    this.droppedMessages = meter.createCounter('relay.messages.dropped', {
      unit: '{message}',
      description: 'Messages of remote control sessions that the viewer had no right to, by kind and sender.',
    });
  }

  /** Counts a socket that begins to wait for its partner, or waits no longer. */
  waits(difference: 1 | -1, role: string): void {
    this.waiting.add(difference, { role });
  }

  /** Counts a message that did not pass. */
  dropped(message: string, from: 'viewer' | 'agent'): void {
    this.droppedMessages.add(1, { message, from });
  }

  began(kind: DeviceActivityKind): void {
    this.open.add(1, { kind });
  }

  over({ session, kind, end }: EndedSession): void {
    this.open.add(-1, { kind });
    this.ended.add(1, { kind, reason: end });
    this.bytes.add(session.requester.payloadBytes, { kind, direction: 'to_device' });
    this.bytes.add(session.responder.payloadBytes, { kind, direction: 'from_device' });
  }
}
