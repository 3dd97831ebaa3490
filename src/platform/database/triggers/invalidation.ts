import { INVALIDATION_CHANNEL, Topic } from './invalidation-topics.js';

/** Notifications of every write that a cache must learn of (`InvalidationBus` listens). PostgreSQL sends them with the commit. */
export const invalidation: readonly string[] = [
  `CREATE FUNCTION notify_assignment_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('${INVALIDATION_CHANNEL}', OLD.principal_kind || ':' || OLD.principal_id); END IF;
     IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('${INVALIDATION_CHANNEL}', NEW.principal_kind || ':' || NEW.principal_id); END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER invalidate_rules AFTER INSERT OR UPDATE OR DELETE ON permission_assignments
     FOR EACH ROW EXECUTE FUNCTION notify_assignment_invalidation()`,

  // Takes the topic and the column that holds the id.
  `CREATE FUNCTION notify_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('${INVALIDATION_CHANNEL}', TG_ARGV[0] || ':' || (to_jsonb(OLD) ->> TG_ARGV[1])); END IF;
     IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('${INVALIDATION_CHANNEL}', TG_ARGV[0] || ':' || (to_jsonb(NEW) ->> TG_ARGV[1])); END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER invalidate_rules AFTER INSERT OR UPDATE OR DELETE ON user_group_members
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.User}', 'user_id')`,
  `CREATE TRIGGER invalidate_device AFTER INSERT OR DELETE ON device_group_members
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.Device}', 'device_id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, expires_at, revoked_at ON service_account_credentials
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.Credential}', 'id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, expires_at, revoked_at, permission_mode
     ON personal_access_tokens FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.Credential}', 'id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, security_stamp, expires_at, proven_at ON sessions
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.Credential}', 'id')`,
  `CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF name, is_enabled ON service_accounts
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.CredentialOwner}', 'id')`,
  `CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF user_name, tenant_id, lockout_end, security_stamp, require_password_change
     ON users
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.CredentialOwner}', 'id')`,
  `CREATE TRIGGER invalidate_tenant AFTER DELETE OR UPDATE OF deleted_at ON tenants
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('${Topic.Tenant}', 'id')`,

  // A row of a device is wide, and thousands change at once, so that this function does not convert the whole row to JSON.
  `CREATE FUNCTION notify_device_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_notify('${INVALIDATION_CHANNEL}', '${Topic.Device}:' || OLD.id);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER invalidate_device AFTER DELETE OR UPDATE OF tenant_id, customer_id, key_pending_since, waiting_public_key ON devices
     FOR EACH ROW EXECUTE FUNCTION notify_device_invalidation()`,
  // Every report writes the column, mostly with the same key.
  `CREATE TRIGGER invalidate_device_key AFTER UPDATE OF public_key ON devices FOR EACH ROW
     WHEN (OLD.public_key <> NEW.public_key) EXECUTE FUNCTION notify_device_invalidation()`,
];
