import pg from 'pg';

import { deviceIdOf, type Database, type Fleet } from './database.js';

const TAGS = 10;
const GROUPS = 10;
/** A name that tells nothing of the order in which devices came. */
const SPREAD_NAMES = `UPDATE devices SET name = 'pc-' || substr(md5(id::text), 1, 8), is_online = get_byte(decode(md5(id::text), 'hex'), 0) < 192
  WHERE tenant_id = $1`;

/** What a fleet can be searched by beside the texts of its devices. */
export interface Furniture {
  readonly tagIds: readonly string[];
  readonly deviceGroupIds: readonly string[];
}

/**
 * Gives the devices of a fleet names in no order, a state, and to a part of them a tag and a group: three of four are online,
 * one of four has a tag, every other one a group.
 */
export async function furnishFleet(database: Database, { tenantId }: Fleet): Promise<Furniture> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query(SPREAD_NAMES, [tenantId]);
    const tagIds = numberedIds(TAGS);
    const deviceGroupIds = numberedIds(GROUPS);
    await client.query(
      `INSERT INTO tags (id, tenant_id, name, type) SELECT id, $1, 'tag ' || n, 'Permission' FROM unnest($2::uuid[]) WITH ORDINALITY AS t (id, n)`,
      [tenantId, tagIds],
    );
    await client.query(
      `INSERT INTO device_groups (id, tenant_id, name) SELECT id, $1, 'group ' || n FROM unnest($2::uuid[]) WITH ORDINALITY AS t (id, n)`,
      [tenantId, deviceGroupIds],
    );
    await client.query(link('device_tags', 'tag_id', 4), [tenantId, tagIds]);
    await client.query(link('device_group_members', 'device_group_id', 2), [tenantId, deviceGroupIds]);
    // Twice rewritten rows leave gaps that no service that has run for a while would have.
    await client.query('VACUUM (FULL) devices');
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    return { tagIds, deviceGroupIds };
  } finally {
    await client.end();
  }
}

/** Links one device of `every` to one of the ids, in turns. */
function link(table: string, column: string, every: number): string {
  return `INSERT INTO ${table} (device_id, ${column})
    SELECT d.id, ($2::uuid[])[1 + d.n / ${every} % cardinality($2::uuid[])]
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM devices WHERE tenant_id = $1) d WHERE d.n % ${every} = 0`;
}

/** Ids in the manner of {@link deviceIdOf}, of things that are no devices. */
function numberedIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => deviceIdOf(index));
}
