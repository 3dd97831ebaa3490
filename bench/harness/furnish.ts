import pg from 'pg';

import { deviceIdOf, type Database, type Fleet } from './database.js';

const TAGS = 10;
const GROUPS = 10;
const CUSTOMERS = 100;
/** Names that are not in the order of creation, and states. The service marks devices offline whose node it does not know. */
const SPREAD_NAMES = `UPDATE devices SET name = 'pc-' || substr(md5(id::text), 1, 8), is_online = s.online,
    node_id = CASE WHEN s.online THEN (SELECT n.id FROM nodes n LIMIT 1) END
  FROM (SELECT id AS device_id, get_byte(decode(md5(id::text), 'hex'), 0) < 192 AS online FROM devices) s
  WHERE tenant_id = $1 AND id = s.device_id`;

/** Statement that assigns two of three devices to a customer. */
const ASSIGN_CUSTOMERS = `UPDATE devices d SET customer_id = ($2::uuid[])[1 + numbered.n % cardinality($2::uuid[])]
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM devices WHERE tenant_id = $1) numbered
  WHERE d.id = numbered.id AND numbered.n % 3 > 0`;

/** Tags, groups and customers by which a fleet can be searched, besides the texts of its devices. */
export interface Furniture {
  readonly tagIds: readonly string[];
  readonly deviceGroupIds: readonly string[];
  readonly customerIds: readonly string[];
}

/**
 * Gives the devices of a fleet unordered names, states, tags and groups: three of four are online, one of four has a
 * tag, every other one is in a group, two of three belong to a customer.
 */
export async function furnishFleet(database: Database, { tenantId }: Pick<Fleet, 'tenantId'>): Promise<Furniture> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query(SPREAD_NAMES, [tenantId]);
    const tagIds = numberedIds(TAGS);
    const deviceGroupIds = numberedIds(GROUPS);
    const customerIds = numberedIds(CUSTOMERS);
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
    await client.query(
      `INSERT INTO customers (id, tenant_id, name) SELECT id, $1, 'customer ' || n FROM unnest($2::uuid[]) WITH ORDINALITY AS t (id, n)`,
      [tenantId, customerIds],
    );
    await client.query(ASSIGN_CUSTOMERS, [tenantId, customerIds]);
    // Rewriting all rows twice leaves gaps that are untypical of a running service.
    await client.query('VACUUM (FULL) devices');
    await client.query('VACUUM (FULL) device_search_texts');
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    return { tagIds, deviceGroupIds, customerIds };
  } finally {
    await client.end();
  }
}

/** Links one of every `every` devices to one of the ids, in turn. */
function link(table: string, column: string, every: number): string {
  return `INSERT INTO ${table} (device_id, ${column})
    SELECT d.id, ($2::uuid[])[1 + d.n / ${every} % cardinality($2::uuid[])]
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM devices WHERE tenant_id = $1) d WHERE d.n % ${every} = 0`;
}

/** Ids in the form of {@link deviceIdOf} for things other than devices. */
function numberedIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => deviceIdOf(index));
}
