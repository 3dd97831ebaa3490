import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE forwarding_entries (
    id uuid NOT NULL,
    log varchar(20) NOT NULL,
    number bigint,
    written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    data jsonb NOT NULL,
    CONSTRAINT pk_forwarding_entries PRIMARY KEY (id)
  )`,
  `CREATE UNIQUE INDEX ix_forwarding_entries_log_number ON forwarding_entries (log, number)`,
  `CREATE INDEX ix_forwarding_entries_unnumbered ON forwarding_entries (written_at, id) WHERE number IS NULL`,
  `CREATE TABLE forwarding_heads (
    log varchar(20) NOT NULL,
    last_number bigint NOT NULL,
    CONSTRAINT pk_forwarding_heads PRIMARY KEY (log)
  )`,
  `CREATE TABLE forwarding_cursors (
    destination varchar(20) NOT NULL,
    log varchar(20) NOT NULL,
    number bigint NOT NULL,
    lost bigint NOT NULL DEFAULT 0,
    failing_since timestamptz,
    failure varchar(500),
    CONSTRAINT pk_forwarding_cursors PRIMARY KEY (destination, log)
  )`,
];

const TRIGGERS = [
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

/** Rows of the logs that wait to be forwarded, and the places of their receivers. */
export class Forwarding1764400000000 implements MigrationInterface {
  readonly name = 'Forwarding1764400000000';
  /** Earlier releases do not know the tables, which triggers fill for them. */
  readonly runsOn = '0.1.0';
  readonly locks = ['authorization_change_logs', 'device_activities', 'security_events'];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER change_log_forwarded ON authorization_change_logs');
    await runner.query('DROP TRIGGER security_log_forwarded ON security_events');
    await runner.query('DROP TRIGGER device_activity_forwarded ON device_activities');
    await runner.query('DROP TRIGGER device_activity_end_forwarded ON device_activities');
    for (const name of ['copy_to_forward', 'copy_ended_activities_to_forward']) await runner.query(`DROP FUNCTION ${name}`);
    for (const table of ['forwarding_cursors', 'forwarding_heads', 'forwarding_entries']) await runner.query(`DROP TABLE ${table}`);
  }
}
