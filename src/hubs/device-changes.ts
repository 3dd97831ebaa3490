import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { agentClient, MessageSeverity } from '#libs/contracts';

import { KEY_PENDING_REASON, messageOf } from '../common/errors.js';
import { DeviceFeed } from '../device-link/device-feed.js';
import { DeviceLink } from '../device-link/device-link.js';
import { DevicePresence } from '../device-link/device-presence.js';
import { DeviceEvents, type DecidedKey } from '../devices/device-events.js';
import { KeyChange } from '../devices/key-change.js';
import { DeviceUpdatesService } from '../devices/updates/device-updates.service.js';

/** What the viewers of a device read about its key, after its name. */
const KEY_CHANGES: Readonly<Record<Exclude<KeyChange, KeyChange.None>, string>> = {
  [KeyChange.Replaced]: ' was registered again, with another key.',
  [KeyChange.Pending]: `: ${KEY_PENDING_REASON}`,
  [KeyChange.Restored]: ' was registered again, with its former key, which needs no approval.',
};

/**
 * Tells the hubs about changes of devices over HTTP. A deleted device can no longer be reached. A device that was registered again can be
 * reached after it has reported with its new key, and after that key was approved if it has to be. The state of a changed device is pushed.
 */
@Injectable()
export class DeviceChanges implements OnModuleInit {
  private readonly logger = new Logger('DeviceChanges');

  constructor(
    private readonly events: DeviceEvents,
    private readonly updates: DeviceUpdatesService,
    private readonly presence: DevicePresence,
    private readonly feed: DeviceFeed,
    private readonly link: DeviceLink,
  ) {}

  onModuleInit(): void {
    this.events.on('deleted', ({ id, connectionId }) => this.presence.offline(id, connectionId));
    this.events.on('registered', ({ id, formerConnectionId, name, keyChange }) => {
      this.presence.offline(id, formerConnectionId);
      if (keyChange !== KeyChange.None) this.feed.toast(id, MessageSeverity.Warning, `${name}${KEY_CHANGES[keyChange]}`);
    });
    this.events.on('keyDecided', (decided) => (decided.isApproved ? this.keyApproved(decided) : this.keyRefused(decided)));
    this.events.on('changed', ({ id }) => void this.push(id));
  }

  private keyApproved({ id, connectionId, name }: DecidedKey): void {
    this.presence.approve(id, connectionId);
    this.feed.toast(id, MessageSeverity.Success, `The new key of ${name} was approved.`);
    // What it reported of itself meanwhile was not stored.
    const reached = this.presence.connectionOf(id);
    if (reached !== undefined) this.link.sendThrough(reached, agentClient.RefreshDeviceInfo);
  }

  private keyRefused({ id, connectionId, name }: DecidedKey): void {
    this.presence.offline(id, connectionId);
    this.feed.toast(id, MessageSeverity.Success, `The new key of ${name} was refused. Its former key is in force.`);
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
