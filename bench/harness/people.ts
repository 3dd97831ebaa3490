/** A connection to a database of the service. */
export interface Queries {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** Sizes of a large tenant. */
export interface TenantSize {
  readonly users: number;
  readonly userGroups: number;
  readonly customers: number;
  /** Groups that each user is in. */
  readonly groupsOfUser: number;
}

/** The size that the front end is measured at. */
export const LARGE: TenantSize = { users: 2_000, userGroups: 500, customers: 300, groupsOfUser: 3 };

/** The id of a thing with this number. Users, groups and customers have different ones. */
const idOf = (kind: string, number: string): string => `('0199b${kind}00-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/**
 * Fills a tenant with users, user groups and customers. Users are named `user 0001`, groups `team 001`, customers `company 001`; each user
 * is in some groups, and each group may read the devices of one customer.
 */
export async function growPeople(database: Queries, tenantId: string, size: TenantSize = LARGE): Promise<void> {
  const { users, userGroups, customers, groupsOfUser } = size;
  await database.query(
    `INSERT INTO users (id, tenant_id, user_name, normalized_user_name, email, normalized_email, security_stamp)
     SELECT ${idOf('1', 'n')}, $1, name, upper(name), name, upper(name), gen_random_uuid()
     FROM generate_series(1, $2::integer) AS n, LATERAL (SELECT 'user-' || lpad(n::text, 4, '0') || '@example.org' AS name) AS named`,
    [tenantId, users],
  );
  await database.query(
    `INSERT INTO user_groups (id, tenant_id, name) SELECT ${idOf('2', 'n')}, $1, 'team ' || lpad(n::text, 3, '0') FROM generate_series(1, $2::integer) AS n`,
    [tenantId, userGroups],
  );
  await database.query(
    `INSERT INTO customers (id, tenant_id, name, notes)
     SELECT ${idOf('3', 'n')}, $1, 'company ' || lpad(n::text, 3, '0'), 'Contract ' || n FROM generate_series(1, $2::integer) AS n`,
    [tenantId, customers],
  );
  await database.query(
    `INSERT INTO user_group_members (user_group_id, user_id)
     SELECT DISTINCT ${idOf('2', '1 + ((u * 7 + g * 131) % $2::integer)')}, ${idOf('1', 'u')}
     FROM generate_series(1, $1::integer) AS u, generate_series(1, $3::integer) AS g`,
    [users, userGroups, groupsOfUser],
  );
  await database.query(
    `INSERT INTO permission_assignments (id, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id, owning_tenant_id)
     SELECT gen_random_uuid(), 'UserGroup', ${idOf('2', 'n')}, 'device.read', 'Allow', 'CustomerTenant', ${idOf('3', '1 + (n % $3::integer)')}, $1
     FROM generate_series(1, $2::integer) AS n`,
    [tenantId, userGroups, customers],
  );
}

/** The id of the user with this number. */
export const bigUserId = (number: number): string => `0199b100-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
/** The id of the user group with this number. */
export const bigGroupId = (number: number): string => `0199b200-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
/** The id of the customer with this number. */
export const bigCustomerId = (number: number): string => `0199b300-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
