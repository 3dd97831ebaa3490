import { Injectable, Logger } from '@nestjs/common';

import { messageOf } from '../../common/errors.js';
import { InvalidationBus, type InvalidationListener } from '../../database/invalidation-bus.js';
import { Topic } from '../../database/invalidation-topics.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import { KnownDevicesRepository, type KnownDeviceRow } from './known-devices.repository.js';

/** Makes devices reachable whose keys were approved while they report to this node, whichever node the approval came to. */
@Injectable()
export class ApprovedKeys implements InvalidationListener {
  private readonly logger = new Logger('DeviceUpdates');

  constructor(
    private readonly presence: DevicePresence,
    private readonly known: KnownDevicesRepository,
    invalidations: InvalidationBus,
  ) {
    invalidations.subscribe(this);
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Device && this.presence.isPending(id)) void this.lookAt(id);
  }

  /** What may have been missed is noticed by the next update of each device. */
  forgetAll(): void {}

  /** Looks at the row of a device whose key waited. Only the connection that the row names reports with the key that was approved. */
  note(row: KnownDeviceRow | null): void {
    if (row !== null && !row.isKeyPending) this.presence.approve(row.id, row.connectionId);
  }

  private async lookAt(deviceId: string): Promise<void> {
    try {
      this.note(await this.known.find(deviceId));
    } catch (error) {
      this.logger.warn({
        message: 'A device whose key was approved is not reached before its next report.',
        deviceId,
        error: messageOf(error),
      });
    }
  }
}
