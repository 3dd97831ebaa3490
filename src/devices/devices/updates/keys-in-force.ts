import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';

import { agentClient } from '#libs/contracts';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { DeviceLink } from '../../device-link/device-link.js';
import { DevicePresence, type CountingKeys } from '../../device-link/device-presence.js';
import { DeviceKeysRepository } from './device-keys.repository.js';

/** Devices that one query looks at. */
const BATCH_SIZE = 500;
/** The wait before the keys of devices are read again after the database failed. */
const RETRY_DELAY_MS = 500;
/** The keys of a device that does not exist any more. */
const GONE: CountingKeys = { inForce: null, waiting: null };

/**
 * Applies the keys in force to the connections of this process. Within a second after a device was deleted, registered again or had its
 * key decided, an agent with a former key is not reached any more, and one whose key was approved is. Any process may have made the change.
 */
@Injectable()
export class KeysInForce implements InvalidationListener, BeforeApplicationShutdown {
  private readonly logger = new Logger('DeviceUpdates');
  private readonly due = new Set<string>();
  private isRunning = false;
  private isStopping = false;

  constructor(
    private readonly presence: DevicePresence,
    private readonly link: DeviceLink,
    private readonly repository: DeviceKeysRepository,
    invalidations: InvalidationBus,
  ) {
    invalidations.subscribe(this);
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Device && this.presence.isKnown(id)) this.look(id);
  }

  /** Something may have been missed: every device that is known here is looked at. */
  forgetAll(): void {
    for (const id of this.presence.deviceIds()) this.look(id);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  /** Applies the keys of a device to its connections. An agent that is reached from now on is asked to describe its device. */
  settle(deviceId: string, keys: CountingKeys): void {
    const reached = this.presence.settle(deviceId, keys);
    // Nothing that it reported while its key waited describes the device.
    if (reached !== undefined) this.link.sendThrough(reached, agentClient.RefreshDeviceInfo);
  }

  /** Looks at the keys of a device soon. */
  look(deviceId: string): void {
    this.due.add(deviceId);
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    // All devices that are announced in this turn of the event loop share the first query.
    await new Promise(setImmediate);
    while (this.due.size > 0 && !this.isStopping) {
      const ids = [...this.due].slice(0, BATCH_SIZE);
      for (const id of ids) this.due.delete(id);
      try {
        const keys = await this.repository.find(ids);
        for (const id of ids) this.settle(id, keys.get(id) ?? GONE);
      } catch (error) {
        await this.tryAgain(ids, error);
      }
    }
    this.isRunning = false;
  }

  private async tryAgain(ids: readonly string[], error: unknown): Promise<void> {
    if (this.isStopping) return;
    for (const id of ids) this.due.add(id);
    this.logger.warn({ message: 'The keys of devices could not be read and will be again.', devices: ids.length, error: messageOf(error) });
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS).unref());
  }
}
