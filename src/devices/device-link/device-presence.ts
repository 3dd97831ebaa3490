import { Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

/** A hub connection of an agent as of one of its updates, with the key that its last update was verified by; an empty one for an unsigned update. */
interface AgentLine {
  readonly connectionId: string;
  readonly publicKey: string;
}

/** The keys that count for a device. */
export interface CountingKeys {
  /** Empty for a device without a key; null when none is in force. */
  readonly inForce: string | null;
  /** The key that waits for approval; null when none does. */
  readonly waiting: string | null;
}

/**
 * The hub connection of each online device. Accepted updates, other keys and disconnects maintain it; a look-up is O(1). A device may
 * have a second connection, of an agent that has registered it with a key that waits for approval. Nothing is sent through that one.
 */
@Injectable()
export class DevicePresence {
  private readonly reached = new Map<string, AgentLine>();
  private readonly waiting = new Map<string, AgentLine>();

  constructor() {
    metrics
      .getMeter('devices')
      .createObservableGauge('devices.connected', {
        unit: '{device}',
        description: 'Devices that are connected to this process, by state (online, pending: its new key waits for approval).',
      })
      .addCallback((result) => {
        result.observe(this.reached.size, { state: 'online' });
        result.observe(this.waiting.size, { state: 'pending' });
      });
  }

  /** The connection of an online device, or undefined. Also undefined while only a key that waits for approval reports. */
  connectionOf(deviceId: string): string | undefined {
    return this.reached.get(deviceId)?.connectionId;
  }

  /** The last update by which the device is reached here, which is another object after each; undefined when it is not reached here. */
  lastUpdateOf(deviceId: string): Pick<AgentLine, 'connectionId'> | undefined {
    return this.reached.get(deviceId);
  }

  /** Checks that an agent reports for the device with a key that waits for approval. */
  isPending(deviceId: string): boolean {
    return this.waiting.has(deviceId);
  }

  /** Checks that any connection of the device is known here. */
  isKnown(deviceId: string): boolean {
    return this.reached.has(deviceId) || this.waiting.has(deviceId);
  }

  /** The devices of which anything is known here. */
  *deviceIds(): Generator<string> {
    yield* this.reached.keys();
    for (const id of this.waiting.keys()) if (!this.reached.has(id)) yield id;
  }

  /** The device is reached through this connection from now on. The last accepted update wins. */
  online(deviceId: string, connectionId: string, publicKey: string): void {
    if (this.waiting.get(deviceId)?.connectionId === connectionId) this.waiting.delete(deviceId);
    this.reached.set(deviceId, { connectionId, publicKey });
  }

  /** Notes a connection that reports with a key that waits for approval: nothing is sent through it. */
  onlinePending(deviceId: string, connectionId: string, publicKey: string): void {
    if (this.connectionOf(deviceId) === connectionId) this.reached.delete(deviceId);
    this.waiting.set(deviceId, { connectionId, publicKey });
  }

  /**
   * Drops the connections whose keys do not count any more. Returns the connection that waited until now, when the device is reached
   * through it from now on; otherwise undefined.
   */
  settle(deviceId: string, { inForce, waiting }: CountingKeys): string | undefined {
    const line = this.waiting.get(deviceId);
    if (this.reached.get(deviceId)?.publicKey !== inForce) this.reached.delete(deviceId);
    if (line === undefined || line.publicKey === waiting) return undefined;
    this.waiting.delete(deviceId);
    if (line.publicKey !== inForce) return undefined;
    this.reached.set(deviceId, line);
    return line.connectionId;
  }

  /** The connection ended. Does nothing when the device is reached through another one since. */
  offline(deviceId: string, connectionId: string): void {
    if (this.connectionOf(deviceId) === connectionId) this.reached.delete(deviceId);
    if (this.waiting.get(deviceId)?.connectionId === connectionId) this.waiting.delete(deviceId);
  }

  /** Nothing of the device is known any more: it was deleted. */
  gone(deviceId: string): void {
    this.reached.delete(deviceId);
    this.waiting.delete(deviceId);
  }

  /** Connections that report for devices on this node. */
  get count(): number {
    return this.reached.size + this.waiting.size;
  }
}
