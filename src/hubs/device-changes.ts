import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { messageOf } from '../common/errors.js';
import { DeviceFeed } from '../device-link/device-feed.js';
import { DevicePresence } from '../device-link/device-presence.js';
import { DeviceEvents } from '../devices/device-events.js';
import { DeviceUpdatesService } from '../devices/updates/device-updates.service.js';

/**
 * Tells the hubs about changes of devices over HTTP. A deleted device can no longer be reached. A device that was
 * registered again can be reached after it has reported with its new key. The state of a changed device is pushed.
 */
@Injectable()
export class DeviceChanges implements OnModuleInit {
  private readonly logger = new Logger('DeviceChanges');

  constructor(
    private readonly events: DeviceEvents,
    private readonly updates: DeviceUpdatesService,
    private readonly presence: DevicePresence,
    private readonly feed: DeviceFeed,
  ) {}

  onModuleInit(): void {
    this.events.on('deleted', ({ id, connectionId }) => this.presence.offline(id, connectionId));
    this.events.on('registered', ({ id, formerConnectionId, name, hasNewKey }) => {
      this.presence.offline(id, formerConnectionId);
      if (hasNewKey) this.feed.warn(id, `${name} was registered again, with another key.`);
    });
    this.events.on('changed', ({ id }) => void this.push(id));
  }

  private async push(deviceId: string): Promise<void> {
    try {
      await this.updates.publish(deviceId);
    } catch (error) {
      this.logger.warn({
        message: 'A change of a device was not pushed.',
        deviceId,
        error: messageOf(error),
      });
    }
  }
}
