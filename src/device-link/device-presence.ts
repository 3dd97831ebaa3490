import { Injectable } from '@nestjs/common';

/** Which hub connection a device is reached through. Kept by accepted updates and by disconnects; O(1) to ask. */
@Injectable()
export class DevicePresence {
  private readonly connections = new Map<string, string>();

  /** The connection of an online device, or undefined. */
  connectionOf(deviceId: string): string | undefined {
    return this.connections.get(deviceId);
  }

  /** The device is reached through this connection from now on; the last accepted update wins. */
  online(deviceId: string, connectionId: string): void {
    this.connections.set(deviceId, connectionId);
  }

  /** The connection ended; another one that took the device over stays. */
  offline(deviceId: string, connectionId: string): void {
    if (this.connections.get(deviceId) === connectionId) this.connections.delete(deviceId);
  }

  /** Devices that are online on this node. */
  get count(): number {
    return this.connections.size;
  }
}
