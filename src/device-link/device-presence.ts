import { Injectable } from '@nestjs/common';

/** Through which hub connection each online device is reached. Accepted updates and disconnects keep it; a look-up is O(1). */
@Injectable()
export class DevicePresence {
  private readonly connections = new Map<string, string>();
  /** The connections of devices that report with a key that waits for approval. Nothing may be sent through them. */
  private readonly pending = new Map<string, string>();

  /** The connection of an online device, or undefined. Also undefined while the device's key waits for approval. */
  connectionOf(deviceId: string): string | undefined {
    return this.connections.get(deviceId);
  }

  /** Whether the device reports with a key that waits for approval. */
  isPending(deviceId: string): boolean {
    return this.pending.has(deviceId);
  }

  /** The device is reached through this connection from now on. The last accepted update wins. */
  online(deviceId: string, connectionId: string): void {
    this.pending.delete(deviceId);
    this.connections.set(deviceId, connectionId);
  }

  /** The device reports through this connection with a key that waits for approval: it is not reached from now on. */
  onlinePending(deviceId: string, connectionId: string): void {
    this.connections.delete(deviceId);
    this.pending.set(deviceId, connectionId);
  }

  /** The key that the device reports with was approved. Does nothing when its last update came through another connection. */
  approve(deviceId: string, connectionId: string): void {
    if (this.pending.get(deviceId) === connectionId) this.online(deviceId, connectionId);
  }

  /** The connection ended. Does nothing when the device is reached through another one since. */
  offline(deviceId: string, connectionId: string): void {
    if (this.connections.get(deviceId) === connectionId) this.connections.delete(deviceId);
    if (this.pending.get(deviceId) === connectionId) this.pending.delete(deviceId);
  }

  /** Devices that are online on this node. */
  get count(): number {
    return this.connections.size + this.pending.size;
  }
}
