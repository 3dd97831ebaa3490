import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import type { DeviceInventoryDto } from '#libs/contracts';

import { readRows } from '../../../platform/database/queries/read-rows.js';
import type { StoredFacts } from './device-inventory.entity.js';

/** An inventory as it is stored. */
export interface StoredInventory {
  readonly confirmedAt: Date;
  readonly facts: StoredFacts;
  readonly software: DeviceInventoryDto['software'];
  readonly updates: DeviceInventoryDto['updates'];
}

/** A device before it sends its inventory. */
export interface KnownInventory {
  readonly tenantId: string;
  /** Null when no inventory is stored. */
  readonly hash: string | null;
}

/** A report of the same inventory is noted at most once in that time, so that agents that come back together write nothing. */
const CONFIRM_AFTER = "interval '12 hours'";

const FIND = `
  SELECT reported.confirmed_at AS "confirmedAt", reported.facts, reported.software, reported.updates
  FROM device_inventories reported JOIN devices d ON d.id = reported.device_id
  WHERE d.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2)`;

const FIND_HASH = `
  SELECT d.tenant_id AS "tenantId", stored.hash FROM devices d LEFT JOIN device_inventories stored ON stored.device_id = d.id
  WHERE d.id = $1`;

/** One statement, so that a reader sees the previous inventory or the new one. A device that has been deleted gets none. */
const REPLACE = `
  INSERT INTO device_inventories (device_id, hash, confirmed_at, facts, software, updates)
  SELECT d.id, $2, $3, $4, $5, $6 FROM devices d WHERE d.id = $1
  ON CONFLICT (device_id) DO UPDATE
    SET hash = EXCLUDED.hash, confirmed_at = EXCLUDED.confirmed_at, facts = EXCLUDED.facts, software = EXCLUDED.software,
        updates = EXCLUDED.updates`;

const CONFIRM = `
  UPDATE device_inventories SET confirmed_at = $2 WHERE device_id = $1 AND confirmed_at < $2::timestamptz - ${CONFIRM_AFTER}`;

/** The SQL of inventories. */
@Injectable()
export class DeviceInventoriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The inventory of a device, or null; `tenantId` is null when the caller may name any tenant. */
  async find(manager: EntityManager, deviceId: string, tenantId: string | null): Promise<StoredInventory | null> {
    const [row] = await readRows<StoredInventory>(manager, FIND, [deviceId, tenantId]);
    return row ?? null;
  }

  /** The device's tenant and the hash of its stored inventory; null when there is no such device. */
  async knownOf(deviceId: string): Promise<KnownInventory | null> {
    const [row] = await readRows<KnownInventory>(this.dataSource.manager, FIND_HASH, [deviceId]);
    return row ?? null;
  }

  /** Notes that the stored inventory of a device is still the one that it has. */
  async confirm(deviceId: string, now: Date): Promise<void> {
    await readRows(this.dataSource.manager, CONFIRM, [deviceId, now]);
  }

  /** Stores the inventory of a device in place of the former one. */
  async replace(deviceId: string, hash: string, { software, updates, ...facts }: DeviceInventoryDto, now: Date): Promise<void> {
    const stored: StoredFacts = { ...facts, bootedAt: facts.bootedAt?.toDate().toISOString() ?? null };
    const texts = [stored, software, updates].map((value) => (value === null ? null : asJson(value)));
    await readRows(this.dataSource.manager, REPLACE, [deviceId, hash, now, ...texts]);
  }
}

/** JSON that PostgreSQL takes: it has no NUL, and no halves of surrogate pairs. */
function asJson(value: object): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed().replaceAll('\0', '') : member,
  );
}
