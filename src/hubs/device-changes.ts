import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { messageOf } from '../common/errors.js';
import { DevicePresence } from '../device-link/device-presence.js';
import { DeviceEvents } from '../devices/device-events.js';
import { DeviceUpdatesService } from '../devices/updates/device-updates.service.js';

/**
 * Carries what happens to devices over HTTP to the hubs: one that was deleted is not reached any more, one that was registered
 * anew not until it has reported with its new key, and a changed one is pushed.
 */
@Injectable()
export class DeviceChanges implements OnModuleInit {
  private readonly logger = new Logger('DeviceChanges');

  constructor(
    private readonly events: DeviceEvents,
    private readonly updates: DeviceUpdatesService,
    private readonly presence: DevicePresence,
  ) {}

  onModuleInit(): void {
    this.events.on('deleted', ({ id, connectionId }) => this.presence.offline(id, connectionId));
    this.events.on('registered', ({ id, formerConnectionId }) => this.presence.offline(id, formerConnectionId));
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
