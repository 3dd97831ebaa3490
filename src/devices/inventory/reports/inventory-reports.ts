import { Injectable } from '@nestjs/common';

import { hubFailure, hubValue, type HubResultOf, type InventoryReportDto } from '#libs/contracts';

import { Shares } from '../../../platform/common/concurrency/shares.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import type { AgentConnection } from '../../devices/updates/accepted-updates.js';
import { DeviceInventoriesRepository } from './device-inventories.repository.js';

/**
 * Most inventories that agents may send at a time: each can have half a megabyte, and after an upgrade all agents have a new one. Tenants
 * share them: an agent need not send what it was asked for.
 */
const MAXIMUM_GRANTS = 32;
/** The time that an agent has to send the inventory that it was asked for. */
const GRANT_MS = 60_000;

const NOT_ITS_DEVICE = 'The connection does not speak for this device.';
const BUSY = 'Too many agents send their inventories. Try again later.';
const NOT_ASKED_FOR = 'The inventory was not asked for: send its hash first.';

/** Leave to send an inventory. */
interface Grant {
  readonly tenantId: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/**
 * Inventories that agents report. An agent sends the hash first and the inventory only when it is wanted, so that agents that come back
 * after an outage cost one small query each.
 */
@Injectable()
export class InventoryReports {
  /** By connection. */
  private readonly grants = new Map<string, Grant>();
  private readonly tenants = new Shares(() => MAXIMUM_GRANTS);
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
      this.revoke(connectionId);
    }
    return hubValue(false);
  }

  private async offer(connectionId: string, deviceId: string, hash: string): Promise<HubResultOf<boolean>> {
    const known = await this.repository.knownOf(deviceId);
    if (known === null) return hubFailure(NOT_ITS_DEVICE);
    if (known.hash === hash) {
      await this.repository.confirm(deviceId, this.clock.now());
      return hubValue(false);
    }
    const now = this.clock.milliseconds();
    for (const [id, { until }] of this.grants) if (until <= now) this.revoke(id);
    this.revoke(connectionId);
    if (!this.tenants.take(known.tenantId)) return hubFailure(BUSY);
    this.grants.set(connectionId, { tenantId: known.tenantId, until: now + GRANT_MS });
    return hubValue(true);
  }

  private revoke(connectionId: string): void {
    const grant = this.grants.get(connectionId);
    if (grant === undefined) return;
    this.grants.delete(connectionId);
    this.tenants.give(grant.tenantId);
  }
}
