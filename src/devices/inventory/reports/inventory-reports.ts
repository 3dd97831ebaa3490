import { Injectable } from '@nestjs/common';

import { hubFailure, hubValue, type HubResultOf, type InventoryReportDto } from '#libs/contracts';

import { Clock } from '../../../platform/common/runtime/clock.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import type { AgentConnection } from '../../devices/updates/accepted-updates.js';
import { DeviceInventoriesRepository } from './device-inventories.repository.js';

/** Most inventories that agents may send at a time: each can have half a megabyte, and after an upgrade all agents have a new one. */
const MAXIMUM_GRANTS = 32;
/** The time that an agent has to send the inventory that it was asked for. */
const GRANT_MS = 60_000;

const NOT_ITS_DEVICE = 'The connection does not speak for this device.';
const BUSY = 'Too many agents send their inventories. Try again later.';
const NOT_ASKED_FOR = 'The inventory was not asked for: send its hash first.';

/**
 * Inventories that agents report. An agent sends the hash first and the inventory only when it is wanted, so that agents that come back
 * after an outage cost one small query each.
 */
@Injectable()
export class InventoryReports {
  /** The times until which connections may send an inventory. */
  private readonly grants = new Map<string, number>();
  /** Connections whose inventories are being stored: each may send one. */
  private readonly storing = new Set<string>();

  constructor(
    private readonly repository: DeviceInventoriesRepository,
    private readonly presence: DevicePresence,
    private readonly clock: Clock,
  ) {}

  /** Takes a report. True when the agent is to send the inventory that belongs to the hash. */
  async take({ connectionId, session }: AgentConnection, report: InventoryReportDto): Promise<HubResultOf<boolean>> {
    const { deviceId, hash, inventory } = report;
    const isItsDevice = session?.deviceId === deviceId && this.presence.connectionOf(deviceId) === connectionId;
    if (!isItsDevice) return hubFailure(NOT_ITS_DEVICE);
    if (inventory === null) return this.offer(connectionId, deviceId, hash);
    if (!this.grants.has(connectionId) || this.storing.has(connectionId)) return hubFailure(NOT_ASKED_FOR);
    this.storing.add(connectionId);
    try {
      await this.repository.replace(deviceId, hash, inventory, this.clock.now());
    } finally {
      this.storing.delete(connectionId);
      this.grants.delete(connectionId);
    }
    return hubValue(false);
  }

  private async offer(connectionId: string, deviceId: string, hash: string): Promise<HubResultOf<boolean>> {
    if ((await this.repository.hashOf(deviceId)) === hash) {
      await this.repository.confirm(deviceId, this.clock.now());
      return hubValue(false);
    }
    const now = this.clock.milliseconds();
    for (const [id, until] of this.grants) if (until <= now) this.grants.delete(id);
    if (this.grants.size >= MAXIMUM_GRANTS && !this.grants.has(connectionId)) return hubFailure(BUSY);
    this.grants.set(connectionId, now + GRANT_MS);
    return hubValue(true);
  }
}
