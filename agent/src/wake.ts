import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import type { WakeDeviceDto } from '#libs/contracts';
import { RefusedError } from './failures.js';

const WAKE_PORT = 9;
const EVERYWHERE = '255.255.255.255';
/** Limit above the number of any machine's network cards. */
const MAX_ADDRESSES = 64;
const MAC_REPETITIONS = 16;

/** A magic packet: six bytes FF, then the MAC address sixteen times. Throws RefusedError unless the address has 12 hex digits. */
export function magicPacket(macAddress: string): Uint8Array {
  const digits = macAddress.replaceAll(/[:.-]/g, '');
  if (!/^[0-9a-f]{12}$/i.test(digits)) throw new RefusedError('A MAC address must have 12 hex digits.');
  const mac = Buffer.from(digits, 'hex');
  return Buffer.concat([Buffer.alloc(6, 0xff), ...Array.from({ length: MAC_REPETITIONS }, () => mac)]);
}

/** The broadcast addresses of this machine's networks. The one for all networks leaves through a single card, so each card has its own. */
export function broadcastAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces()): string[] {
  const own = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address, netmask }) => {
      const mask = netmask.split('.').map(Number);
      return address
        .split('.')
        .map((part, index) => Number(part) | (~mask[index] & 255))
        .join('.');
    });
  return [...new Set([EVERYWHERE, ...own])];
}

/** Broadcasts the magic packet of each address on every network of this machine. Throws when none could be sent. */
export async function wakeDevices(
  dto: WakeDeviceDto,
  addresses: readonly string[] = broadcastAddresses(),
  port: number = WAKE_PORT,
): Promise<void> {
  if (dto.macAddresses.length > MAX_ADDRESSES) throw new RefusedError(`At most ${MAX_ADDRESSES} MAC addresses can be woken at once.`);
  const packets = [...new Set(dto.macAddresses)].map(magicPacket);
  const socket = createSocket('udp4');
  try {
    socket.bind();
    await once(socket, 'listening');
    socket.setBroadcast(true);
    const sendings = addresses.flatMap((address) => packets.map(async (packet) => send(socket, packet, port, address)));
    const results = await Promise.allSettled(sendings);
    const failed = results.find((result) => result.status === 'rejected');
    // A network that is down does not keep the packets from the others.
    if (failed !== undefined && results.every(({ status }) => status === 'rejected')) throw failed.reason;
  } finally {
    socket.close();
  }
}

async function send(socket: Socket, packet: Uint8Array, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(packet, port, address, (error) => (error === null ? resolve() : reject(error)));
  });
}
