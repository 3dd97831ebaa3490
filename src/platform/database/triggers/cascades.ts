/**
 * Rows that name a principal or a scope by kind and id have no foreign key. These triggers delete them with the row that they
 * name, also when that row is deleted by a cascade.
 *
 * Logon tokens have none: the background job "logon tokens" removes their assignments together with the tokens, and those of tokens that
 * were deleted with their user or device.
 */
export const cascades: readonly string[] = [
  `CREATE FUNCTION delete_assignments_of_principal() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE principal_kind = TG_ARGV[0] AND principal_id = OLD.id;
     RETURN NULL;
   END $$`,
  afterDelete('users', 'principal_assignments', `delete_assignments_of_principal('User')`),
  afterDelete('user_groups', 'principal_assignments', `delete_assignments_of_principal('UserGroup')`),
  afterDelete('service_accounts', 'principal_assignments', `delete_assignments_of_principal('ServiceAccount')`),
  afterDelete('personal_access_tokens', 'principal_assignments', `delete_assignments_of_principal('PersonalAccessToken')`),

  `CREATE FUNCTION delete_assignments_of_scope() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE scope_kind = TG_ARGV[0] AND scope_id = OLD.id;
     RETURN NULL;
   END $$`,
  afterDelete('customers', 'scope_assignments', `delete_assignments_of_scope('CustomerTenant')`),
  afterDelete('device_groups', 'scope_assignments', `delete_assignments_of_scope('DeviceGroup')`),
  afterDelete('devices', 'scope_assignments', `delete_assignments_of_scope('Device')`),
  afterDelete('user_groups', 'scope_assignments', `delete_assignments_of_scope('UserGroup')`),

  `CREATE FUNCTION delete_assignments_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE owning_tenant_id = OLD.id;
     RETURN NULL;
   END $$`,
  afterDelete('tenants', 'tenant_assignments', 'delete_assignments_of_tenant()'),

  `CREATE FUNCTION delete_items_of_principal() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM user_preferences WHERE principal_id = OLD.id;
     DELETE FROM user_storage_items WHERE principal_id = OLD.id;
     RETURN NULL;
   END $$`,
  afterDelete('users', 'principal_items', 'delete_items_of_principal()'),
  afterDelete('service_accounts', 'principal_items', 'delete_items_of_principal()'),
  // The session of a logon token keeps what it stores for itself.
  `CREATE TRIGGER delete_principal_items AFTER DELETE ON sessions FOR EACH ROW
   WHEN (OLD.logon_token_id IS NOT NULL) EXECUTE FUNCTION delete_items_of_principal()`,
];

function afterDelete(table: string, rows: string, call: string): string {
  return `CREATE TRIGGER delete_${rows} AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${call}`;
}
