import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { agentClient } from '#libs/contracts';

import { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { DevicesService } from '../../../../devices/devices/devices.service.js';
import { DomainError, messageOf } from '../../../../platform/common/errors/errors.js';

const NO_PUBLIC_ADDRESS = 'The device has no known public IP address, so no device near it can be found.';
const NO_PEERS = 'No other device of the customer is online behind the same public IP address.';

/** Wakes devices through their neighbours, because only a machine in the same network reaches one that sleeps. */
@Injectable()
export class DeviceWake {
  private readonly logger = new Logger('DeviceWake');

  constructor(
    private readonly devices: DevicesService,
    private readonly link: DeviceLink,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Asks every neighbour of the device to send the magic packet of each network card. Returns a sentence with the number of neighbours
   * asked.
   */
  async wake(deviceId: string, macAddresses: readonly string[]): Promise<string> {
    const { address, ids } = await this.devices.neighbours(this.dataSource, deviceId);
    if (address === '') return NO_PUBLIC_ADDRESS;
    let asked = 0;
    for (const id of ids) if (await this.ask(id, deviceId, macAddresses)) asked += 1;
    if (asked === 0) return NO_PEERS;
    return asked === 1 ? 'Asked 1 device to wake it.' : `Asked ${asked} devices to wake it.`;
  }

  /** False when the neighbour cannot be reached any more. */
  private async ask(peerId: string, deviceId: string, macAddresses: readonly string[]): Promise<boolean> {
    try {
      await (await this.link.reach(peerId)).send(agentClient.InvokeWakeDevice, { macAddresses: [...macAddresses] });
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.debug({ message: 'A neighbour was not asked to wake a device.', deviceId, peerId, error: messageOf(error) });
      return false;
    }
  }
}
