import { Injectable } from '@nestjs/common';

/** Through which hub connection each online device is reached. Accepted updates and disconnects keep it; a look-up is O(1). */
@Injectable()
export class DevicePresence {
  private readonly connections = new Map<string, string>();

  /** The connection of an online device, or undefined. */
  connectionOf(deviceId: string): string | undefined {
    return this.connections.get(deviceId);
  }

  /** The device is reached through this connection from now on. The last accepted update wins. */
  online(deviceId: string, connectionId: string): void {
    this.connections.set(deviceId, connectionId);
  }

  /** The connection ended. Does nothing when the device is reached through another one since. */
  offline(deviceId: string, connectionId: string): void {
    if (this.connections.get(deviceId) === connectionId) this.connections.delete(deviceId);
  }

  /** Devices that are online on this node. */
  get count(): number {
    return this.connections.size;
  }
}
