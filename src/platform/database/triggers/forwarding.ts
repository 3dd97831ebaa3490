/**
 * Copies of rows that wait to be forwarded (`src/system/forwarding`), written in the transaction of the row. A log has a cursor for each
 * destination to which it is forwarded; without one nothing is copied.
 */
export const forwarding: readonly string[] = [
  `CREATE FUNCTION copy_to_forward() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF EXISTS (SELECT FROM forwarding_cursors WHERE log = TG_ARGV[0]) THEN
       INSERT INTO forwarding_entries (id, log, data) SELECT gen_random_uuid(), TG_ARGV[0], to_jsonb(r) FROM new_rows r;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER change_log_forwarded AFTER INSERT ON authorization_change_logs REFERENCING NEW TABLE AS new_rows
     FOR EACH STATEMENT EXECUTE FUNCTION copy_to_forward('ChangeLog')`,
  `CREATE TRIGGER security_log_forwarded AFTER INSERT ON security_events REFERENCING NEW TABLE AS new_rows
     FOR EACH STATEMENT EXECUTE FUNCTION copy_to_forward('SecurityLog')`,
  `CREATE TRIGGER device_activity_forwarded AFTER INSERT ON device_activities REFERENCING NEW TABLE AS new_rows
     FOR EACH STATEMENT EXECUTE FUNCTION copy_to_forward('DeviceActivity')`,

  // Of a record that changes only its end matters: a record that was begun has a line of its own.
  `CREATE FUNCTION copy_ended_activities_to_forward() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF EXISTS (SELECT FROM forwarding_cursors WHERE log = 'DeviceActivity') THEN
       INSERT INTO forwarding_entries (id, log, data)
       SELECT gen_random_uuid(), 'DeviceActivity', to_jsonb(n) FROM new_rows n JOIN old_rows o ON o.id = n.id
       WHERE n.ended_at IS DISTINCT FROM o.ended_at;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_activity_end_forwarded AFTER UPDATE ON device_activities
     REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
     FOR EACH STATEMENT EXECUTE FUNCTION copy_ended_activities_to_forward()`,
];
