import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE events (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    number bigint,
    kind varchar(50) NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    device_id uuid,
    actor_kind varchar(50),
    actor_id uuid,
    actor_name varchar(256),
    data jsonb NOT NULL,
    CONSTRAINT pk_events PRIMARY KEY (id)
  )`,
  `CREATE UNIQUE INDEX ix_events_tenant_id_number ON events (tenant_id, number)`,
  `CREATE INDEX ix_events_device ON events (device_id, number) WHERE device_id IS NOT NULL`,
  `CREATE INDEX ix_events_unnumbered ON events (occurred_at, id) WHERE number IS NULL`,
  `CREATE INDEX ix_events_occurred_at ON events USING brin (occurred_at)`,
  `CREATE TABLE event_heads (
    tenant_id uuid NOT NULL,
    last_number bigint NOT NULL,
    CONSTRAINT pk_event_heads PRIMARY KEY (tenant_id)
  )`,
  `CREATE TABLE device_absences (
    device_id uuid NOT NULL,
    since timestamptz NOT NULL,
    told_at timestamptz,
    CONSTRAINT pk_device_absences PRIMARY KEY (device_id),
    CONSTRAINT fk_device_absences_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_device_absences_untold ON device_absences (since) WHERE told_at IS NULL`,
];

const TRIGGERS = [
  // Most updates of devices are heartbeats, for which PostgreSQL evaluates the condition of the trigger only.
  `CREATE FUNCTION note_device_presence() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     told timestamptz;
   BEGIN
     IF NOT NEW.is_online THEN
       INSERT INTO device_absences (device_id, since) VALUES (NEW.id, now()) ON CONFLICT DO NOTHING;
       RETURN NULL;
     END IF;
     DELETE FROM device_absences WHERE device_id = NEW.id RETURNING told_at INTO told;
     -- A short absence has no event, and neither has its end.
     IF NOT FOUND OR told IS NOT NULL THEN
       INSERT INTO events (id, tenant_id, kind, device_id, data)
       VALUES (gen_random_uuid(), NEW.tenant_id, 'device.online', NEW.id, jsonb_build_object('name', coalesce(nullif(NEW.alias, ''), NEW.name)));
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_presence_noted AFTER UPDATE OF is_online ON devices FOR EACH ROW
     WHEN (OLD.is_online <> NEW.is_online) EXECUTE FUNCTION note_device_presence()`,

  // A record that was begun and ended before it was written has both events.
  `CREATE FUNCTION write_session_events() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     device text := (SELECT coalesce(nullif(d.alias, ''), d.name) FROM devices d WHERE d.id = NEW.device_id);
     actor text := CASE NEW.principal_kind WHEN 'System' THEN NULL WHEN 'User' THEN 'User' ELSE 'ServiceAccount' END;
     session jsonb := jsonb_build_object('name', device, 'session', NEW.kind, 'sessionId', NEW.id, 'startedAt', NEW.started_at);
   BEGIN
     IF TG_OP = 'INSERT' THEN
       INSERT INTO events (id, tenant_id, kind, occurred_at, device_id, actor_kind, actor_id, actor_name, data)
       VALUES (gen_random_uuid(), NEW.tenant_id, 'session.begun', NEW.started_at, NEW.device_id, actor, NEW.principal_id,
               NEW.principal_name, session);
     END IF;
     IF NEW.ended_at IS NOT NULL THEN
       INSERT INTO events (id, tenant_id, kind, occurred_at, device_id, actor_kind, actor_id, actor_name, data)
       VALUES (gen_random_uuid(), NEW.tenant_id, 'session.ended', greatest(NEW.ended_at, NEW.started_at + interval '1 microsecond'), NEW.device_id, actor, NEW.principal_id,
               NEW.principal_name, session || jsonb_build_object('outcome', NEW.outcome));
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER session_begun AFTER INSERT ON device_activities FOR EACH ROW
     WHEN (NEW.kind IN ('RemoteControl', 'Terminal', 'Vnc') AND NEW.tenant_id IS NOT NULL AND NEW.device_id IS NOT NULL)
     EXECUTE FUNCTION write_session_events()`,
  `CREATE TRIGGER session_ended AFTER UPDATE OF ended_at ON device_activities FOR EACH ROW
     WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.kind IN ('RemoteControl', 'Terminal', 'Vnc')
           AND NEW.tenant_id IS NOT NULL AND NEW.device_id IS NOT NULL)
     EXECUTE FUNCTION write_session_events()`,

  // Wakes the service, which numbers the events once they are committed.
  `CREATE FUNCTION notify_events() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_notify('events_written', '');
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER events_written AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION notify_events()`,

  `CREATE FUNCTION delete_events_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM events WHERE tenant_id = OLD.id;
     DELETE FROM event_heads WHERE tenant_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER delete_tenant_events AFTER DELETE ON tenants FOR EACH ROW EXECUTE FUNCTION delete_events_of_tenant()`,
];

/**
 * Principals that may read the change log of a tenant may read its events, too: the new permission is in the presets that hold the former,
 * and nobody could grant it otherwise. Denials are copied likewise. The change log gets an entry for each.
 */
const GRANTS = `
  WITH granted AS (
    INSERT INTO permission_assignments (id, created_at, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id,
      owning_tenant_id, is_enabled, notes, created_by_principal_type, created_by_principal_id)
    SELECT gen_random_uuid(), now(), a.principal_kind, a.principal_id, 'tenant.events.read', a.effect, a.scope_kind, a.scope_id,
      a.owning_tenant_id, a.is_enabled, NULL, 'system', NULL
    FROM permission_assignments a WHERE a.permission_name = 'tenant.authorization-logs.read'
    RETURNING *
  )
  INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, target_id, owning_tenant_id, correlation_id, after_json)
  SELECT gen_random_uuid(), 'permission-assignment-created', 'system', 'PermissionAssignment', g.id, g.owning_tenant_id, 'upgrade',
    json_strip_nulls(json_build_object('principalKind', g.principal_kind, 'principalId', g.principal_id, 'permissionName', g.permission_name,
      'effect', g.effect, 'scopeKind', g.scope_kind, 'scopeId', g.scope_id, 'isEnabled', g.is_enabled))::text
  FROM granted g`;

/** Events of tenants: devices, sessions, keys, permissions, sign-ins. */
export class Events1764290000000 implements MigrationInterface {
  readonly name = 'Events1764290000000';
  /** Earlier releases do not know the tables, which triggers fill for them. */
  readonly runsOn = '0.1.0';
  readonly locks = ['device_activities', 'devices', 'tenants'];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...TRIGGERS]) await runner.query(statement);
    await runner.query(GRANTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM permission_assignments WHERE permission_name = 'tenant.events.read'`);
    await runner.query('DROP TRIGGER device_presence_noted ON devices');
    await runner.query('DROP TRIGGER session_begun ON device_activities');
    await runner.query('DROP TRIGGER session_ended ON device_activities');
    await runner.query('DROP TRIGGER delete_tenant_events ON tenants');
    for (const table of ['device_absences', 'event_heads', 'events']) await runner.query(`DROP TABLE ${table}`);
    for (const name of ['note_device_presence', 'write_session_events', 'notify_events', 'delete_events_of_tenant']) {
      await runner.query(`DROP FUNCTION ${name}`);
    }
  }
}
