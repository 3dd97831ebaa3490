import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { LIST_LIMIT } from '../common/list-limit.js';
import type { InstallerKeyDto, InstallerKeyUsageDto } from './installer-key.dto.js';
import type { InstallerKeyType } from './installer-key.entity.js';

interface ListedKey {
  readonly id: string;
  readonly creator_id: string;
  readonly creator_name: string | null;
  readonly key_type: InstallerKeyType;
  readonly created_at: Date;
  readonly allowed_uses: number | null;
  readonly expiration: Date | null;
  readonly friendly_name: string | null;
  readonly recorded_uses: number;
}

interface ListedUsage {
  readonly id: string;
  readonly device_id: string;
  readonly created_at: Date;
  readonly remote_ip_address: string | null;
}

/** Which keys a list shows. */
export interface KeyListing {
  readonly tenantId: string;
  /** Null: everybody's. */
  readonly creatorId: string | null;
  readonly now: Date;
  /** Usages from then on count; null: all of them. */
  readonly usagesSince: Date | null;
}

const LIST = `
  SELECT k.id, k.creator_id, COALESCE(u.user_name, a.name) AS creator_name, k.key_type, k.created_at, k.allowed_uses, k.expiration,
         k.friendly_name,
         (SELECT count(*)::integer FROM installer_key_usages usage
          WHERE usage.installer_key_id = k.id AND ($4::timestamptz IS NULL OR usage.created_at >= $4)) AS recorded_uses
  FROM installer_keys k
  LEFT JOIN users u ON k.creator_kind = 'User' AND u.id = k.creator_id AND u.tenant_id = k.tenant_id
  LEFT JOIN service_accounts a ON k.creator_kind <> 'User' AND a.id = k.creator_id
  WHERE k.tenant_id = $1 AND ($2::uuid IS NULL OR k.creator_id = $2)
    AND (k.key_type = 'Persistent' OR k.expiration >= $3)
    AND (k.key_type <> 'UsageBased' OR k.allowed_uses IS NULL OR k.usage_count < k.allowed_uses)
  ORDER BY k.created_at, k.id LIMIT ${LIST_LIMIT}`;

const USAGES = `
  SELECT id, device_id, created_at, remote_ip_address FROM installer_key_usages
  WHERE installer_key_id = $1 AND tenant_id = $2 AND ($3::timestamptz IS NULL OR created_at >= $3)
  ORDER BY created_at DESC, id DESC LIMIT ${LIST_LIMIT}`;

/** The lists of installer keys and of their uses. */
@Injectable()
export class InstallerKeysRepository {
  /** The keys that are still good, in order of creation, with the names of their creators. */
  async list(manager: EntityManager, { tenantId, creatorId, now, usagesSince }: KeyListing): Promise<InstallerKeyDto[]> {
    const rows = await manager.query<ListedKey[]>(LIST, [tenantId, creatorId, now, usagesSince]);
    return rows.map((row) => ({
      id: row.id,
      creatorId: row.creator_id,
      creatorName: row.creator_name,
      keyType: row.key_type,
      createdAt: row.created_at,
      allowedUses: row.allowed_uses,
      expiration: row.expiration,
      friendlyName: row.friendly_name,
      usageCount: row.recorded_uses,
    }));
  }

  /** What a key was used for, the latest first; `since` null answers all that is on record. */
  async usages(manager: EntityManager, tenantId: string, keyId: string, since: Date | null): Promise<InstallerKeyUsageDto[]> {
    const rows = await manager.query<ListedUsage[]>(USAGES, [keyId, tenantId, since]);
    return rows.map((row) => ({ id: row.id, deviceId: row.device_id, timestamp: row.created_at, remoteIpAddress: row.remote_ip_address }));
  }
}
