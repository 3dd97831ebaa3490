/**
 * Events that the database writes itself, because several statements cause them, some in processes of earlier releases: devices that go
 * online, and sessions on devices. The job "offline devices" writes `device.offline` when an absence has lasted long enough.
 */
export const events: readonly string[] = [
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
