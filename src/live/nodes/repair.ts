import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { DevicePresence } from '../../devices/device-link/device-presence.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { DeviceDirectory } from './agents/device-directory.js';
import { type Changed, guidOfBytes } from './line/signals.js';
import { ServiceLine, type SignalListener } from './service-line.js';
import { ShownChanges } from './viewers/shown-changes.js';

/** Longest wait before a repair, in milliseconds: nodes that were cut off together do not all read at once. */
const MAXIMUM_WAIT_MS = 5_000;
/** Devices in one query. */
const BATCH_SIZE = 500;

/**
 * Compares the places of devices with their rows. A device that reports to two nodes at the same time may be online at both: each compares
 * when the other tells of a report. After a gap in which signals were lost a node compares all its devices, and reads and shows again what its
 * viewers watch.
 */
@Injectable()
export class Repair implements OnModuleInit, BeforeApplicationShutdown, SignalListener {
  private readonly logger = new Logger('Nodes');
  private readonly repairs = metrics
    .getMeter('nodes')
    .createCounter('nodes.repairs', { unit: '{repair}', description: 'Repairs after a gap in which signals of other nodes were lost.' });
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;

  constructor(
    private readonly line: ServiceLine,
    private readonly presence: DevicePresence,
    private readonly directory: DeviceDirectory,
    private readonly shown: ShownChanges,
  ) {}

  onModuleInit(): void {
    this.line.listen(this);
    this.line.onMended(() => this.soon());
    this.line.onMissed(() => this.soon());
  }

  changed(ids: Changed['ids']): void {
    // Too many have changed to be named. The signal after the next report of each names it.
    if (ids === 'all') return;
    for (const id of ids.map(guidOfBytes)) {
      const connectionId = this.presence.connectionOf(id);
      if (connectionId !== undefined) void this.compare(this.directory.leaveIfMoved(id, connectionId));
    }
  }

  toasted(): void {}

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private soon(): void {
    if (this.isStopping) return;
    this.timer ??= setTimeout(() => void this.run(), Math.random() * MAXIMUM_WAIT_MS);
  }

  private async run(): Promise<void> {
    this.timer = null;
    this.repairs.add(1);
    await this.compare(this.leaveMoved());
    this.shown.showAll();
  }

  private async compare(comparison: Promise<void>): Promise<void> {
    try {
      await comparison;
    } catch (error) {
      this.logger.warn({ message: 'The places of devices could not be compared, and will be again.', reason: messageOf(error) });
      this.soon();
    }
  }

  private async leaveMoved(): Promise<void> {
    const ids = [...this.presence.deviceIds()];
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const moved = await this.directory.elsewhere(ids.slice(start, start + BATCH_SIZE));
      for (const { id, formerConnectionId } of moved) this.presence.offline(id, formerConnectionId);
    }
  }
}
