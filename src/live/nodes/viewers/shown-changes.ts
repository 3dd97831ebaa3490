import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { DeviceFeed } from '../../../devices/device-link/device-feed.js';
import { AcceptedUpdates } from '../../../devices/devices/updates/accepted-updates.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { ChangeSignals } from './change-signals.js';
import { ServiceLine, type SignalListener } from '../service-line.js';
import { type Changed, guidOfBytes, type Toast } from '../line/signals.js';

/**
 * Reads and shows the devices of which other nodes say that they have changed, as far as viewers of this node watch them. What is shown is
 * never older than the last change that was heard of: a device that changes while it is read is read once more.
 */
@Injectable()
export class ShownChanges implements OnModuleInit, SignalListener {
  private readonly logger = new Logger('Nodes');
  private readonly rowsRead = metrics.getMeter('nodes').createCounter('nodes.rows_read', {
    unit: '{device}',
    description: 'Devices that were read because another node said that they have changed.',
  });
  /** Devices that are being read, and true for those that have changed since. */
  private readonly reading = new Map<string, boolean>();

  constructor(
    private readonly line: ServiceLine,
    private readonly signals: ChangeSignals,
    private readonly updates: AcceptedUpdates,
    private readonly feed: DeviceFeed,
  ) {}

  onModuleInit(): void {
    this.line.listen(this);
    // This node has shown a later state of a device that is being read.
    this.signals.onChanged((deviceId) => this.readAgain(deviceId));
  }

  changed(ids: Changed['ids']): void {
    if (ids === 'all') return this.showAll();
    for (const bytes of ids) {
      const id = guidOfBytes(bytes);
      if (this.feed.isWatched(id)) this.show(id);
    }
  }

  toasted({ deviceId, severity, text }: Toast): void {
    this.feed.showToast(deviceId, severity, text);
  }

  /** Reads and shows all devices that viewers of this node watch. */
  showAll(): void {
    for (const id of this.feed.watched()) this.show(id);
  }

  private readAgain(deviceId: string): void {
    if (this.reading.has(deviceId)) this.reading.set(deviceId, true);
  }

  private show(deviceId: string): void {
    const isRead = this.reading.has(deviceId);
    this.reading.set(deviceId, isRead);
    if (!isRead) void this.read(deviceId);
  }

  private async read(deviceId: string): Promise<void> {
    do {
      this.reading.set(deviceId, false);
      try {
        await this.updates.show(deviceId);
        this.rowsRead.add(1);
      } catch (error) {
        this.logger.warn({ message: 'A change of a device at another node was not shown.', deviceId, reason: messageOf(error) });
      }
    } while (this.reading.get(deviceId) === true);
    this.reading.delete(deviceId);
  }
}
