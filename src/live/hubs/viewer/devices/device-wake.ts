import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { agentClient } from '#libs/contracts';

import { CallTooLate, isTooOld } from '../../../../devices/device-link/call-age.js';
import { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { DevicesService } from '../../../../devices/devices/devices.service.js';
import { DomainError, messageOf } from '../../../../platform/common/errors/errors.js';

const NO_PUBLIC_ADDRESS = 'The device has no known public IP address, so no device near it can be found.';
const NO_PEERS = 'No other device of the customer is online behind the same public IP address.';

interface Waking {
  readonly deviceId: string;
  readonly macAddresses: readonly string[];
  readonly arrivedAt: number;
}

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
   * Asks every neighbour of the device to send the magic packet of each network card, until the call is too old. Returns a sentence with
   * the number of neighbours asked.
   * @param arrivedAt the time at which the call arrived, by the monotonic clock in milliseconds
   * @throws CallTooLate when no neighbour could be asked in time
   */
  async wake(deviceId: string, macAddresses: readonly string[], arrivedAt: number): Promise<string> {
    const { address, ids } = await this.devices.neighbours(this.dataSource, deviceId);
    if (address === '') return NO_PUBLIC_ADDRESS;
    let asked = 0;
    for (const id of ids) {
      if (asked > 0 && isTooOld(arrivedAt)) break;
      if (await this.ask(id, { deviceId, macAddresses, arrivedAt })) asked += 1;
    }
    if (asked === 0) return NO_PEERS;
    return asked === 1 ? 'Asked 1 device to wake it.' : `Asked ${asked} devices to wake it.`;
  }

  /** False when the neighbour cannot be reached any more. */
  private async ask(peerId: string, { deviceId, macAddresses, arrivedAt }: Waking): Promise<boolean> {
    try {
      await (await this.link.reach(peerId, arrivedAt)).send(agentClient.InvokeWakeDevice, { macAddresses: [...macAddresses] });
      return true;
    } catch (error) {
      if (!(error instanceof DomainError) || error instanceof CallTooLate) throw error;
      this.logger.debug({ message: 'A neighbour was not asked to wake a device.', deviceId, peerId, error: messageOf(error) });
      return false;
    }
  }
}
