import { Injectable } from '@nestjs/common';

import type { MessageSeverity } from '#libs/contracts';

import type { OtherFeeds } from '../../../devices/device-link/device-feed.js';
import { ServiceLine } from '../service-line.js';
import { bytesOfGuid, MAXIMUM_SIGNAL_IDS } from '../line/signals.js';

/** Shortest time between two signals of this node, in milliseconds. */
const SIGNAL_INTERVAL_MS = 100;
/** A signal that is older was heard, or NATS is known to be away by now, in milliseconds. */
const LOST_WITHIN_MS = 10_000;

/**
 * Tells other nodes which devices have changed here: at once, or as soon as the last signal is 100 ms old. After a gap of the line it tells
 * again of those that changed in it and shortly before. The others need not have had a gap, and would never hear of them.
 */
@Injectable()
export class ChangeSignals implements OtherFeeds {
  private changes = new Set<string>();
  private sentAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  /** Devices of the last signals, which may be lost: at most those of twice the time, and all of a gap. */
  private recent = { since: Number.NEGATIVE_INFINITY, before: new Set<string>(), now: new Set<string>() };

  private readonly listeners: ((deviceId: string) => void)[] = [];

  constructor(private readonly line: ServiceLine) {
    line.onMended(() => this.tellAgain());
  }

  /** Calls the listener with each device whose state this node has shown. */
  onChanged(listener: (deviceId: string) => void): void {
    this.listeners.push(listener);
  }

  changed(deviceId: string): void {
    for (const listener of this.listeners) listener(deviceId);
    if (this.changes.size <= MAXIMUM_SIGNAL_IDS) this.changes.add(deviceId);
    if (this.timer !== null) return;
    const wait = Math.max(0, SIGNAL_INTERVAL_MS - (performance.now() - this.sentAt));
    this.timer = setTimeout(() => this.send(), wait);
  }

  toast(deviceId: string, severity: MessageSeverity, text: string): void {
    this.line.toast({ deviceId, severity, text });
  }

  private send(): void {
    const { changes } = this;
    this.timer = null;
    this.sentAt = performance.now();
    this.changes = new Set();
    this.remember(changes);
    this.signal(changes);
  }

  private remember(changes: ReadonlySet<string>): void {
    const { recent, sentAt } = this;
    if (this.line.isUp && sentAt - recent.since > LOST_WITHIN_MS) this.recent = { since: sentAt, before: recent.now, now: new Set() };
    const { now } = this.recent;
    for (const id of changes) if (now.size <= MAXIMUM_SIGNAL_IDS) now.add(id);
  }

  private tellAgain(): void {
    const { before, now } = this.recent;
    const changes = new Set([...before, ...now]);
    if (changes.size > 0) this.signal(changes);
  }

  private signal(changes: ReadonlySet<string>): void {
    this.line.signal(changes.size > MAXIMUM_SIGNAL_IDS ? 'all' : [...changes].map(bytesOfGuid));
  }
}
