import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { DevicePresence } from '../../devices/device-link/device-presence.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { DeviceDirectory } from './agents/device-directory.js';
import { ServiceLine } from './service-line.js';
import { ShownChanges } from './viewers/shown-changes.js';

/** Longest wait before a repair, in milliseconds: nodes that were cut off together do not all read at once. */
const MAXIMUM_WAIT_MS = 5_000;
/** Devices in one query. */
const BATCH_SIZE = 500;

/**
 * Repairs what was missed in a gap of the line: devices that are connected elsewhere by now are not reached here any more, and what viewers
 * watch is read and shown again.
 */
@Injectable()
export class Repair implements OnModuleInit, BeforeApplicationShutdown {
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
    this.line.onMended(() => this.soon());
  }

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
    try {
      await this.leaveMoved();
    } catch (error) {
      this.logger.warn({ message: 'The places of devices could not be compared, and will be again.', reason: messageOf(error) });
      this.soon();
    }
    this.shown.showAll();
  }

  private async leaveMoved(): Promise<void> {
    const ids = [...this.presence.deviceIds()];
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const moved = await this.directory.elsewhere(ids.slice(start, start + BATCH_SIZE));
      for (const { id, formerConnectionId } of moved) this.presence.offline(id, formerConnectionId);
    }
  }
}
