import { Injectable } from '@nestjs/common';

import type { MessageSeverity } from '#libs/contracts';

import type { OtherFeeds } from '../../../devices/device-link/device-feed.js';
import { ServiceLine } from '../service-line.js';
import { bytesOfGuid, MAXIMUM_SIGNAL_IDS } from '../line/signals.js';

/** Shortest time between two signals of this node, in milliseconds. */
const SIGNAL_INTERVAL_MS = 100;

/** Tells other nodes which devices have changed here: at once, or as soon as the last signal is 100 ms old. */
@Injectable()
export class ChangeSignals implements OtherFeeds {
  private changes = new Set<string>();
  private sentAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;

  private readonly listeners: ((deviceId: string) => void)[] = [];

  constructor(private readonly line: ServiceLine) {}

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
    if (this.line.heardNodes.length === 0) return;
    this.line.signal(changes.size > MAXIMUM_SIGNAL_IDS ? 'all' : [...changes].map(bytesOfGuid));
  }
}
