import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { mapPages, pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { InstallerKeyDto, InstallerKeyUsageDto } from './installer-key.dto.js';
import type { InstallerKeyType } from './installer-key.entity.js';

/** The creation time as PostgreSQL writes it, which is more precise than a Date. The next page starts after it. */
interface Keyed {
  readonly list_key: string;
}

interface ListedKey extends Keyed {
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

interface ListedUsage extends Keyed {
  readonly id: string;
  readonly device_id: string;
  readonly created_at: Date;
  readonly remote_ip_address: string | null;
}

/** The keys that a list contains. */
export interface KeyListing {
  readonly tenantId: string;
  /** Null for the keys of all creators. */
  readonly creatorId: string | null;
  readonly now: Date;
  /** Counts the uses from this instant on; null for all. */
  readonly usagesSince: Date | null;
}

/** Counts the uses of all keys of a page in one pass. */
const LIST = `
  WITH page AS MATERIALIZED (
    SELECT * FROM installer_keys k
    WHERE k.tenant_id = $1 AND ($2::uuid IS NULL OR k.creator_id = $2)
      AND (k.key_type = 'Persistent' OR k.expiration >= $3)
      AND (k.key_type <> 'UsageBased' OR k.allowed_uses IS NULL OR k.usage_count < k.allowed_uses)
      AND ($5::uuid IS NULL OR (k.created_at, k.id) > ($6::timestamptz, $5))
    ORDER BY k.created_at, k.id LIMIT $7)
  SELECT p.id, p.creator_id, COALESCE(u.user_name, a.name) AS creator_name, p.key_type, p.created_at, p.allowed_uses, p.expiration,
         p.friendly_name, p.created_at::text AS list_key, COALESCE(n.uses, 0) AS recorded_uses
  FROM page p
  LEFT JOIN users u ON p.creator_kind = 'User' AND u.id = p.creator_id AND u.tenant_id = p.tenant_id
  LEFT JOIN service_accounts a ON p.creator_kind <> 'User' AND a.id = p.creator_id
  LEFT JOIN (
    SELECT usage.installer_key_id, count(*)::integer AS uses FROM installer_key_usages usage
    WHERE usage.installer_key_id IN (SELECT id FROM page) AND ($4::timestamptz IS NULL OR usage.created_at >= $4)
    GROUP BY usage.installer_key_id
  ) n ON n.installer_key_id = p.id
  ORDER BY p.created_at, p.id`;

const USAGES = `
  SELECT id, device_id, created_at, remote_ip_address, created_at::text AS list_key FROM installer_key_usages
  WHERE installer_key_id = $1 AND tenant_id = $2 AND ($3::timestamptz IS NULL OR created_at >= $3)
    AND ($4::uuid IS NULL OR (created_at, id) < ($5::timestamptz, $4))
  ORDER BY created_at DESC, id DESC LIMIT $6`;

const REMOVE_USAGES = `
  DELETE FROM installer_key_usages WHERE ctid = ANY (ARRAY(SELECT ctid FROM installer_key_usages WHERE created_at < $1 LIMIT $2))`;

/** Lists installer keys and their uses. */
@Injectable()
export class InstallerKeysRepository {
  /** The usable keys in order of creation, with the names of their creators. */
  list(manager: EntityManager, { tenantId, creatorId, now, usagesSince }: KeyListing): Pages<InstallerKeyDto> {
    const pages = pagesOf<ListedKey>((after, limit) =>
      readRows(manager, LIST, [tenantId, creatorId, now, usagesSince, after?.id, after?.list_key, limit]),
    );
    return mapPages(pages, (row) => ({
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

  /** The uses of a key, latest first. `since` null returns all recorded ones. */
  usages(manager: EntityManager, tenantId: string, keyId: string, since: Date | null): Pages<InstallerKeyUsageDto> {
    const pages = pagesOf<ListedUsage>((after, limit) =>
      readRows(manager, USAGES, [keyId, tenantId, since, after?.id, after?.list_key, limit]),
    );
    return mapPages(pages, (row) => ({
      id: row.id,
      deviceId: row.device_id,
      timestamp: row.created_at,
      remoteIpAddress: row.remote_ip_address,
    }));
  }

  /** Deletes at most `limit` records of use from before an instant and returns how many. */
  async removeUsages(manager: EntityManager, before: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_USAGES, [before, limit]);
    return count;
  }
}
