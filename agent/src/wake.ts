import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { WakeDeviceDto } from '#libs/contracts';
import { RefusedError } from './failures.js';

const WAKE_PORT = 9;
const BROADCAST_ADDRESS = '255.255.255.255';
const MAC_REPETITIONS = 16;

/** A magic packet: six bytes FF, then the MAC address sixteen times. Throws RefusedError unless the address has 12 hex digits. */
export function magicPacket(macAddress: string): Uint8Array {
  const digits = macAddress.replaceAll(/[:.-]/g, '');
  if (!/^[0-9a-f]{12}$/i.test(digits)) throw new RefusedError('A MAC address must have 12 hex digits.');
  const mac = Buffer.from(digits, 'hex');
  return Buffer.concat([Buffer.alloc(6, 0xff), ...Array.from({ length: MAC_REPETITIONS }, () => mac)]);
}

/** Broadcasts the magic packet of each address on this machine's network. */
export async function wakeDevices(dto: WakeDeviceDto, address: string = BROADCAST_ADDRESS, port: number = WAKE_PORT): Promise<void> {
  const packets = dto.macAddresses.map(magicPacket);
  const socket = createSocket('udp4');
  try {
    socket.bind();
    await once(socket, 'listening');
    socket.setBroadcast(true);
    for (const packet of packets) {
      await new Promise<void>((resolve, reject) => {
        socket.send(packet, port, address, (error) => (error === null ? resolve() : reject(error)));
      });
    }
  } finally {
    socket.close();
  }
}
