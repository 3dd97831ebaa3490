import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { MessageSeverity } from '#libs/contracts';

import { DeviceFeed } from '../../devices/device-link/device-feed.js';
import { DevicePresence } from '../../devices/device-link/device-presence.js';
import { DeviceEvents, type DecidedKey } from '../../devices/devices/device-events.js';
import { KeyChange } from '../../devices/devices/key-approvals/key-change.js';
import { AcceptedUpdates } from '../../devices/devices/updates/accepted-updates.js';
import { KeysInForce } from '../../devices/devices/updates/keys-in-force.js';
import { KEY_PENDING_REASON, messageOf } from '../../platform/common/errors/errors.js';
import { ServerNode } from '../../platform/node/server-node.js';

/** The messages to the viewers of a device about its key, after its name. */
const KEY_CHANGES: Readonly<Record<Exclude<KeyChange, KeyChange.None>, string>> = {
  [KeyChange.Replaced]: ' was registered again, with another key.',
  [KeyChange.Pending]: `: ${KEY_PENDING_REASON}`,
  [KeyChange.Waiting]: ' was registered again with another key, which waits for approval. The device goes on with its present key.',
  [KeyChange.Confirmed]: ' was registered again with its present key. The one that waited for approval is dropped.',
};

/**
 * Tells the hubs about changes of devices over HTTP, before their answers. A deleted device can no longer be reached. A device that was
 * registered again can be reached after it has reported with its new key, and after that key was approved if it has to be. The state of a
 * changed device is pushed.
 */
@Injectable()
export class DeviceChanges implements OnModuleInit {
  private readonly logger = new Logger('DeviceChanges');

  constructor(
    private readonly events: DeviceEvents,
    private readonly updates: AcceptedUpdates,
    private readonly presence: DevicePresence,
    private readonly feed: DeviceFeed,
    private readonly keys: KeysInForce,
    private readonly node: ServerNode,
  ) {}

  onModuleInit(): void {
    this.events.on('deleted', ({ id }) => this.presence.gone(id));
    this.events.on('registered', ({ id, formerConnectionId, name, keyChange }) => {
      this.presence.offline(id, formerConnectionId);
      if (keyChange !== KeyChange.None) this.feed.toast(id, MessageSeverity.Warning, `${name}${KEY_CHANGES[keyChange]}`);
    });
    this.events.on('keyDecided', (decided) => this.decided(decided));
    this.events.on('changed', ({ id }) => void this.push(id));
    this.node.onSwept((id) => void this.push(id));
  }

  private decided({ id, name, isApproved, publicKey }: DecidedKey): void {
    this.keys.settle(id, { inForce: publicKey, waiting: null });
    const outcome = isApproved ? 'approved.' : 'refused. The device goes on with its present key.';
    this.feed.toast(id, MessageSeverity.Success, `The new key of ${name} was ${outcome}`);
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
