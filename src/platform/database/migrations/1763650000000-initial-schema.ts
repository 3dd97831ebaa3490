import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables, keys and indexes, as the entities describe them. */
const TABLES = [
  `CREATE TABLE "authorization_change_logs" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "action_type" character varying(100) NOT NULL, "actor_principal_type" character varying(50) NOT NULL, "actor_principal_id" uuid, "target_type" character varying(100) NOT NULL, "target_id" uuid, "owning_tenant_id" uuid, "ip_address" character varying(64), "correlation_id" character varying(100), "before_json" text, "after_json" text, CONSTRAINT "pk_authorization_change_logs" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_authorization_change_logs_created_at" ON "authorization_change_logs" USING BRIN ("created_at")`,
  `CREATE INDEX "ix_authorization_change_logs_target_id" ON "authorization_change_logs"  ("target_id")`,
  `CREATE INDEX "ix_authorization_change_logs_actor_principal_id" ON "authorization_change_logs"  ("actor_principal_id")`,
  `CREATE INDEX "ix_authorization_change_logs_owning_tenant_id_created_at_id" ON "authorization_change_logs"  ("owning_tenant_id", "created_at", "id")`,
  `CREATE TABLE "customers" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "name" character varying(100) NOT NULL, "description" character varying(500), "notes" character varying(500), CONSTRAINT "uq_customers_tenant_id_name" UNIQUE ("tenant_id", "name"), CONSTRAINT "pk_customers" PRIMARY KEY ("id"))`,
  `CREATE TABLE "device_groups" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "name" character varying(100) NOT NULL, "description" character varying(500), CONSTRAINT "uq_device_groups_tenant_id_name" UNIQUE ("tenant_id", "name"), CONSTRAINT "pk_device_groups" PRIMARY KEY ("id"))`,
  `CREATE TABLE "device_group_members" ("device_group_id" uuid NOT NULL, "device_id" uuid NOT NULL, CONSTRAINT "pk_device_group_members" PRIMARY KEY ("device_group_id", "device_id"))`,
  `CREATE INDEX "ix_device_group_members_device_id" ON "device_group_members"  ("device_id")`,
  `CREATE TABLE "devices" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "customer_id" uuid, "name" character varying(100) NOT NULL DEFAULT '', "alias" character varying(100) NOT NULL DEFAULT '', "agent_version" character varying(50) NOT NULL DEFAULT '', "connection_id" character varying(100) NOT NULL DEFAULT '', "node_id" character varying(100), "dns_host_name" character varying(255) NOT NULL DEFAULT '', "os_description" character varying(300) NOT NULL DEFAULT '', "local_ip_v4" character varying(15) NOT NULL DEFAULT '', "local_ip_v6" character varying(39) NOT NULL DEFAULT '', "public_ip_v4" character varying(15) NOT NULL DEFAULT '', "public_ip_v6" character varying(39) NOT NULL DEFAULT '', "public_key" character varying(100) NOT NULL DEFAULT '', "last_update_ticks" bigint NOT NULL DEFAULT '0', "cpu_utilization" double precision NOT NULL DEFAULT '0', "total_memory" double precision NOT NULL DEFAULT '0', "used_memory" double precision NOT NULL DEFAULT '0', "total_storage" double precision NOT NULL DEFAULT '0', "used_storage" double precision NOT NULL DEFAULT '0', "processor_count" integer NOT NULL DEFAULT '0', "is64_bit" boolean NOT NULL DEFAULT false, "is_online" boolean NOT NULL DEFAULT false, "last_seen" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "os_architecture" smallint NOT NULL DEFAULT '0', "platform" smallint NOT NULL DEFAULT '0', "current_users" text array NOT NULL DEFAULT '{}', "mac_addresses" text array NOT NULL DEFAULT '{}', "drives" jsonb NOT NULL DEFAULT '[]', "is_tagged" boolean NOT NULL DEFAULT false, "search_text" text NOT NULL DEFAULT '', CONSTRAINT "pk_devices" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_devices_tenant_id_is_online_is_tagged_id" ON "devices"  ("tenant_id", "is_online", "is_tagged", "id")`,
  `CREATE INDEX "ix_devices_customer_id" ON "devices"  ("customer_id")`,
  `CREATE INDEX "ix_devices_created_at_id" ON "devices"  ("created_at", "id")`,
  `CREATE INDEX "ix_devices_tenant_id_created_at_id" ON "devices"  ("tenant_id", "created_at", "id")`,
  `CREATE TABLE "installer_keys" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "creator_id" uuid NOT NULL, "creator_kind" character varying(50) NOT NULL, "key_type" character varying(20) NOT NULL, "allowed_uses" integer, "expiration" TIMESTAMP WITH TIME ZONE, "friendly_name" character varying(200), "hashed_secret" bytea NOT NULL, "usage_count" integer NOT NULL DEFAULT '0', CONSTRAINT "pk_installer_keys" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_installer_keys_tenant_id_creator_id" ON "installer_keys"  ("tenant_id", "creator_id")`,
  `CREATE TABLE "installer_key_usages" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "installer_key_id" uuid NOT NULL, "device_id" uuid NOT NULL, "remote_ip_address" character varying(64), CONSTRAINT "pk_installer_key_usages" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_installer_key_usages_created_at" ON "installer_key_usages"  ("created_at")`,
  `CREATE INDEX "ix_installer_key_usages_installer_key_id_created_at" ON "installer_key_usages"  ("installer_key_id", "created_at")`,
  `CREATE TABLE "invites" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "invitee_email" character varying(256) NOT NULL, "user_id" uuid NOT NULL, "activation_code" character varying(128) NOT NULL, CONSTRAINT "uq_invites_invitee_email" UNIQUE ("invitee_email"), CONSTRAINT "pk_invites" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_invites_tenant_id" ON "invites"  ("tenant_id")`,
  `CREATE TABLE "logon_tokens" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "device_id" uuid NOT NULL, "user_id" uuid NOT NULL, "hashed_secret" bytea NOT NULL, "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL, "consumed_at" TIMESTAMP WITH TIME ZONE, "user_correlation_id" character varying(252), "session_correlation_id" character varying(128), "allowed_desktop_session_ids" integer array, "session_expiration_minutes" integer NOT NULL DEFAULT '480', CONSTRAINT "pk_logon_tokens" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_logon_tokens_expires_at" ON "logon_tokens"  ("expires_at")`,
  `CREATE INDEX "ix_logon_tokens_user_id" ON "logon_tokens"  ("user_id")`,
  `CREATE INDEX "ix_logon_tokens_device_id" ON "logon_tokens"  ("device_id")`,
  `CREATE INDEX "ix_logon_tokens_tenant_id" ON "logon_tokens"  ("tenant_id")`,
  `CREATE TABLE "permission_assignments" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "principal_kind" character varying(50) NOT NULL, "principal_id" uuid NOT NULL, "permission_name" character varying(150) NOT NULL, "effect" character varying(20) NOT NULL, "scope_kind" character varying(50) NOT NULL, "scope_id" uuid, "owning_tenant_id" uuid, "is_enabled" boolean NOT NULL DEFAULT true, "notes" character varying(500), "created_by_principal_type" character varying(50), "created_by_principal_id" uuid, CONSTRAINT "ck_permission_assignments_owner" CHECK (("scope_kind" = 'Server') = ("owning_tenant_id" IS NULL)), CONSTRAINT "ck_permission_assignments_server" CHECK (("scope_kind" = 'Server') = ("scope_id" IS NULL)), CONSTRAINT "pk_permission_assignments" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_permission_assignments_owning_tenant_id" ON "permission_assignments"  ("owning_tenant_id")`,
  `CREATE INDEX "ix_permission_assignments_scope_kind_scope_id" ON "permission_assignments"  ("scope_kind", "scope_id")`,
  `CREATE INDEX "ix_permission_assignments_principal_kind_principal_id" ON "permission_assignments"  ("principal_kind", "principal_id")`,
  `CREATE TABLE "personal_access_tokens" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "user_id" uuid NOT NULL, "name" character varying(256) NOT NULL, "hashed_secret" bytea NOT NULL, "last_used" TIMESTAMP WITH TIME ZONE, "permission_mode" character varying(50) NOT NULL DEFAULT 'Restricted', "expires_at" TIMESTAMP WITH TIME ZONE, "revoked_at" TIMESTAMP WITH TIME ZONE, "created_by_user_id" uuid, CONSTRAINT "uq_personal_access_tokens_user_id_name" UNIQUE ("user_id", "name"), CONSTRAINT "pk_personal_access_tokens" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_personal_access_tokens_user_id_created_at" ON "personal_access_tokens"  ("user_id", "created_at")`,
  `CREATE TABLE "nodes" ("id" character varying(100) NOT NULL, "started_at" TIMESTAMP WITH TIME ZONE NOT NULL, "last_seen_at" TIMESTAMP WITH TIME ZONE NOT NULL, CONSTRAINT "pk_nodes" PRIMARY KEY ("id"))`,
  `CREATE TABLE "server_alerts" ("id" uuid NOT NULL, "message" character varying(500) NOT NULL DEFAULT '', "severity" character varying(20) NOT NULL DEFAULT 'Information', "is_dismissable" boolean NOT NULL DEFAULT true, "is_sticky" boolean NOT NULL DEFAULT false, "is_enabled" boolean NOT NULL DEFAULT false, CONSTRAINT "ck_server_alerts_singleton" CHECK ("id" = '00000000-0000-0000-0000-000000000001'), CONSTRAINT "pk_server_alerts" PRIMARY KEY ("id"))`,
  `CREATE TABLE "service_accounts" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "kind" character varying(50) NOT NULL, "tenant_id" uuid, "name" character varying(100) NOT NULL, "description" character varying(500), "is_enabled" boolean NOT NULL DEFAULT true, "access_mode" character varying(50) NOT NULL DEFAULT 'Restricted', CONSTRAINT "ck_service_accounts_tenant" CHECK (("kind" = 'Server') = ("tenant_id" IS NULL)), CONSTRAINT "pk_service_accounts" PRIMARY KEY ("id"))`,
  `CREATE UNIQUE INDEX "uq_service_accounts_tenant_name" ON "service_accounts"  ("tenant_id", "name") WHERE kind = 'Tenant'`,
  `CREATE UNIQUE INDEX "uq_service_accounts_server_name" ON "service_accounts"  ("name") WHERE kind = 'Server'`,
  `CREATE TABLE "service_account_credentials" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "service_account_id" uuid NOT NULL, "name" character varying(100) NOT NULL, "hashed_secret" bytea NOT NULL, "expires_at" TIMESTAMP WITH TIME ZONE, "last_used_at" TIMESTAMP WITH TIME ZONE, "revoked_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "pk_service_account_credentials" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_service_account_credentials_service_account_id_created_at_id" ON "service_account_credentials"  ("service_account_id", "created_at", "id")`,
  `CREATE TABLE "tags" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "name" character varying(50) NOT NULL, "type" character varying(20) NOT NULL, CONSTRAINT "uq_tags_tenant_id_name" UNIQUE ("tenant_id", "name"), CONSTRAINT "pk_tags" PRIMARY KEY ("id"))`,
  `CREATE TABLE "device_tags" ("device_id" uuid NOT NULL, "tag_id" uuid NOT NULL, CONSTRAINT "pk_device_tags" PRIMARY KEY ("device_id", "tag_id"))`,
  `CREATE INDEX "ix_device_tags_tag_id_device_id" ON "device_tags"  ("tag_id", "device_id")`,
  `CREATE TABLE "tenant_settings" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "name" character varying(100) NOT NULL, "value" character varying(100) NOT NULL, CONSTRAINT "uq_tenant_settings_tenant_id_name" UNIQUE ("tenant_id", "name"), CONSTRAINT "pk_tenant_settings" PRIMARY KEY ("id"))`,
  `CREATE TABLE "tenants" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "name" character varying(100), CONSTRAINT "pk_tenants" PRIMARY KEY ("id"))`,
  `CREATE TABLE "user_groups" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "name" character varying(100) NOT NULL, "description" character varying(500), CONSTRAINT "uq_user_groups_tenant_id_name" UNIQUE ("tenant_id", "name"), CONSTRAINT "pk_user_groups" PRIMARY KEY ("id"))`,
  `CREATE TABLE "user_group_members" ("user_group_id" uuid NOT NULL, "user_id" uuid NOT NULL, CONSTRAINT "pk_user_group_members" PRIMARY KEY ("user_group_id", "user_id"))`,
  `CREATE INDEX "ix_user_group_members_user_id" ON "user_group_members"  ("user_id")`,
  `CREATE TABLE "user_preferences" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "principal_id" uuid NOT NULL, "name" character varying(100) NOT NULL, "value" character varying(100) NOT NULL, CONSTRAINT "uq_user_preferences_principal_id_name" UNIQUE ("principal_id", "name"), CONSTRAINT "pk_user_preferences" PRIMARY KEY ("id"))`,
  `CREATE TABLE "user_presences" ("user_id" uuid NOT NULL, "node_id" character varying(100) NOT NULL, CONSTRAINT "pk_user_presences" PRIMARY KEY ("user_id", "node_id"))`,
  `CREATE INDEX "ix_user_presences_node_id" ON "user_presences"  ("node_id")`,
  `CREATE TABLE "user_storage_items" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "principal_id" uuid NOT NULL, "key" character varying(256) NOT NULL, "value" character varying(2048) NOT NULL, CONSTRAINT "uq_user_storage_items_principal_id_key" UNIQUE ("principal_id", "key"), CONSTRAINT "pk_user_storage_items" PRIMARY KEY ("id"))`,
  `CREATE TABLE "users" ("id" uuid NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "tenant_id" uuid NOT NULL, "user_name" character varying(256) NOT NULL, "normalized_user_name" character varying(256) NOT NULL, "email" character varying(256), "normalized_email" character varying(256), "email_confirmed" boolean NOT NULL DEFAULT false, "password_hash" text, "security_stamp" uuid NOT NULL, "two_factor_enabled" boolean NOT NULL DEFAULT false, "lockout_end" TIMESTAMP WITH TIME ZONE, "lockout_enabled" boolean NOT NULL DEFAULT true, "access_failed_count" integer NOT NULL DEFAULT '0', "phone_number" character varying(50), "account_type" character varying(50) NOT NULL DEFAULT 'User', "last_login" TIMESTAMP WITH TIME ZONE, "require_password_change" boolean NOT NULL DEFAULT false, CONSTRAINT "pk_users" PRIMARY KEY ("id"))`,
  `CREATE UNIQUE INDEX "uq_users_external_user_name" ON "users"  ("tenant_id", "normalized_user_name") WHERE account_type = 'ExternalUser'`,
  `CREATE UNIQUE INDEX "uq_users_normalized_user_name" ON "users"  ("normalized_user_name") WHERE account_type = 'User'`,
  `CREATE INDEX "ix_users_normalized_email" ON "users"  ("normalized_email")`,
  `CREATE INDEX "ix_users_tenant_id_user_name_id" ON "users"  ("tenant_id", "user_name", "id")`,
  `ALTER TABLE "customers" ADD CONSTRAINT "fk_customers_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_groups" ADD CONSTRAINT "fk_device_groups_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_group_members" ADD CONSTRAINT "fk_device_group_members_device_group_id" FOREIGN KEY ("device_group_id") REFERENCES "device_groups"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_group_members" ADD CONSTRAINT "fk_device_group_members_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "devices" ADD CONSTRAINT "fk_devices_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "devices" ADD CONSTRAINT "fk_devices_customer_id" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "installer_keys" ADD CONSTRAINT "fk_installer_keys_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "installer_key_usages" ADD CONSTRAINT "fk_installer_key_usages_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "installer_key_usages" ADD CONSTRAINT "fk_installer_key_usages_installer_key_id" FOREIGN KEY ("installer_key_id") REFERENCES "installer_keys"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "invites" ADD CONSTRAINT "fk_invites_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "invites" ADD CONSTRAINT "fk_invites_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "logon_tokens" ADD CONSTRAINT "fk_logon_tokens_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "logon_tokens" ADD CONSTRAINT "fk_logon_tokens_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "logon_tokens" ADD CONSTRAINT "fk_logon_tokens_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "fk_personal_access_tokens_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "service_accounts" ADD CONSTRAINT "fk_service_accounts_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "service_account_credentials" ADD CONSTRAINT "fk_service_account_credentials_service_account_id" FOREIGN KEY ("service_account_id") REFERENCES "service_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "tags" ADD CONSTRAINT "fk_tags_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_tags" ADD CONSTRAINT "fk_device_tags_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_tags" ADD CONSTRAINT "fk_device_tags_tag_id" FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "tenant_settings" ADD CONSTRAINT "fk_tenant_settings_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "user_groups" ADD CONSTRAINT "fk_user_groups_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "user_group_members" ADD CONSTRAINT "fk_user_group_members_user_group_id" FOREIGN KEY ("user_group_id") REFERENCES "user_groups"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "user_group_members" ADD CONSTRAINT "fk_user_group_members_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "user_presences" ADD CONSTRAINT "fk_user_presences_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "user_presences" ADD CONSTRAINT "fk_user_presences_node_id" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "users" ADD CONSTRAINT "fk_users_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

/** What entities cannot describe: expression and trigram indexes, storage parameters, the only row of the alert. */
const ADDITIONS = [
  `CREATE UNIQUE INDEX uq_permission_assignments_grant ON permission_assignments
     (principal_kind, principal_id, permission_name, scope_kind, (COALESCE(scope_id, '00000000-0000-0000-0000-000000000000'::uuid)), effect)`,
  `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
  `CREATE INDEX ix_devices_search_text_trgm ON devices USING gin (search_text gin_trgm_ops)`,
  // The order that grids begin with.
  `CREATE INDEX ix_devices_tenant_id_lower_name_created_at_id ON devices (tenant_id, lower(name), created_at, id)`,
  `CREATE INDEX ix_devices_node_id_online ON devices (node_id) WHERE is_online`,
  // Heartbeats rewrite rows in place as long as their page has room.
  `ALTER TABLE devices SET (fillfactor = 70)`,
  `INSERT INTO server_alerts (id) VALUES ('00000000-0000-0000-0000-000000000001')`,
];

const SEARCHED_COLUMNS = [
  'name',
  'alias',
  'dns_host_name',
  'os_description',
  'agent_version',
  'public_ip_v4',
  'public_ip_v6',
  'local_ip_v4',
  'local_ip_v6',
  'current_users',
  'mac_addresses',
];

const rowOf = (record: string): string => SEARCHED_COLUMNS.map((column) => `${record}.${column}`).join(', ');

/** What a search looks at, in one column that a trigram index covers. */
const SEARCH_TEXT = [
  `CREATE FUNCTION set_device_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.search_text := lower(concat_ws(E'\\n', NEW.name, NEW.alias, NEW.dns_host_name, NEW.os_description, NEW.agent_version,
       NEW.public_ip_v4, NEW.public_ip_v6, NEW.local_ip_v4, NEW.local_ip_v6,
       array_to_string(NEW.current_users, E'\\n'), array_to_string(NEW.mac_addresses, E'\\n'), NEW.id::text));
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER device_search_text_on_insert BEFORE INSERT ON devices FOR EACH ROW EXECUTE FUNCTION set_device_search_text()`,
  `CREATE TRIGGER device_search_text_on_update BEFORE UPDATE ON devices FOR EACH ROW
     WHEN ((${rowOf('NEW')}) IS DISTINCT FROM (${rowOf('OLD')})) EXECUTE FUNCTION set_device_search_text()`,
];

/** Whether a device is tagged, stored with the device. */
const TAG_STATE = [
  `CREATE FUNCTION set_device_tagged() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN
       UPDATE devices SET is_tagged = TRUE WHERE id = NEW.device_id AND NOT is_tagged;
     ELSE
       UPDATE devices SET is_tagged = FALSE
       WHERE id = OLD.device_id AND is_tagged AND NOT EXISTS (SELECT 1 FROM device_tags WHERE device_id = OLD.device_id);
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_tagged AFTER INSERT OR DELETE ON device_tags FOR EACH ROW EXECUTE FUNCTION set_device_tagged()`,
];

/** Rows that name a deleted object go with it, on whatever path it was deleted. */
const NOTHING_LEFT_BEHIND = [
  `CREATE FUNCTION delete_assignments_of_principal() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE principal_kind = TG_ARGV[0] AND principal_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION delete_assignments_of_scope() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE scope_kind = TG_ARGV[0] AND scope_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION delete_assignments_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE owning_tenant_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION delete_items_of_principal() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM user_preferences WHERE principal_id = OLD.id;
     DELETE FROM user_storage_items WHERE principal_id = OLD.id;
     RETURN NULL;
   END $$`,
  afterDelete('users', 'principal_assignments', `delete_assignments_of_principal('User')`),
  afterDelete('user_groups', 'principal_assignments', `delete_assignments_of_principal('UserGroup')`),
  afterDelete('service_accounts', 'principal_assignments', `delete_assignments_of_principal('ServiceAccount')`),
  afterDelete('personal_access_tokens', 'principal_assignments', `delete_assignments_of_principal('PersonalAccessToken')`),
  afterDelete('customers', 'scope_assignments', `delete_assignments_of_scope('CustomerTenant')`),
  afterDelete('device_groups', 'scope_assignments', `delete_assignments_of_scope('DeviceGroup')`),
  afterDelete('devices', 'scope_assignments', `delete_assignments_of_scope('Device')`),
  afterDelete('user_groups', 'scope_assignments', `delete_assignments_of_scope('UserGroup')`),
  afterDelete('tenants', 'tenant_assignments', 'delete_assignments_of_tenant()'),
  afterDelete('users', 'principal_items', 'delete_items_of_principal()'),
  afterDelete('service_accounts', 'principal_items', 'delete_items_of_principal()'),
];

/** Every write that a cache must hear of notifies the nodes (src/platform/database/invalidation-bus.ts). */
const INVALIDATIONS = [
  `CREATE FUNCTION notify_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('invalidation', TG_ARGV[0] || ':' || (to_jsonb(OLD) ->> TG_ARGV[1])); END IF;
     IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('invalidation', TG_ARGV[0] || ':' || (to_jsonb(NEW) ->> TG_ARGV[1])); END IF;
     RETURN NULL;
   END $$`,
  // The row of a device is wide, and thousands change at once: nothing is made of it but what is sent.
  `CREATE FUNCTION notify_device_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_notify('invalidation', 'Device:' || OLD.id);
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION notify_assignment_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('invalidation', OLD.principal_kind || ':' || OLD.principal_id); END IF;
     IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('invalidation', NEW.principal_kind || ':' || NEW.principal_id); END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER invalidate_rules AFTER INSERT OR UPDATE OR DELETE ON permission_assignments
     FOR EACH ROW EXECUTE FUNCTION notify_assignment_invalidation()`,
  `CREATE TRIGGER invalidate_rules AFTER INSERT OR UPDATE OR DELETE ON user_group_members
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('User', 'user_id')`,
  `CREATE TRIGGER invalidate_device AFTER DELETE OR UPDATE OF tenant_id, customer_id ON devices
     FOR EACH ROW EXECUTE FUNCTION notify_device_invalidation()`,
  `CREATE TRIGGER invalidate_device AFTER INSERT OR DELETE ON device_group_members
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Device', 'device_id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, expires_at, revoked_at ON service_account_credentials
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Credential', 'id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, expires_at, revoked_at, permission_mode
     ON personal_access_tokens FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Credential', 'id')`,
  `CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF name, is_enabled ON service_accounts
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('CredentialOwner', 'id')`,
  `CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF user_name, tenant_id, lockout_end ON users
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('CredentialOwner', 'id')`,
];

const STATEMENTS = [...TABLES, ...ADDITIONS, ...SEARCH_TEXT, ...TAG_STATE, ...NOTHING_LEFT_BEHIND, ...INVALIDATIONS];

function afterDelete(table: string, name: string, call: string): string {
  return `CREATE TRIGGER delete_${name} AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${call}`;
}

function created(kind: 'TABLE' | 'FUNCTION'): string[] {
  const pattern = new RegExp(`^CREATE ${kind} "?(\\w+)`);
  return STATEMENTS.flatMap((statement) => pattern.exec(statement)?.[1] ?? []);
}

/** The schema of the first release. */
export class InitialSchema1763650000000 implements MigrationInterface {
  readonly name = 'InitialSchema1763650000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${created('TABLE').join(', ')} CASCADE`);
    for (const name of created('FUNCTION')) await runner.query(`DROP FUNCTION ${name}`);
  }
}
