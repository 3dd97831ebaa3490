import type { MigrationInterface, QueryRunner } from 'typeorm';

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

const UP = [
  `DROP TRIGGER device_search_text_on_insert ON devices`,
  `DROP TRIGGER device_search_text_on_update ON devices`,
  `DROP FUNCTION set_device_search_text()`,
  `CREATE TABLE "device_search_texts" ("device_id" uuid NOT NULL, "search_text" text NOT NULL, CONSTRAINT "pk_device_search_texts" PRIMARY KEY ("device_id"))`,
  `CREATE FUNCTION searchable(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT translate(lower($1), E'-.:_/ \\n()@,', 'QXJZKWYVHGP')
   $$`,
  `INSERT INTO device_search_texts (device_id, search_text) SELECT id, searchable(search_text) FROM devices`,
  `ALTER TABLE "device_search_texts" ADD CONSTRAINT "fk_device_search_texts_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `CREATE INDEX ix_device_search_texts_trgm ON device_search_texts USING gin (search_text gin_trgm_ops)`,
  `ANALYZE device_search_texts`,
  `DROP INDEX ix_devices_search_text_trgm`,
  `ALTER TABLE devices DROP COLUMN search_text`,
  `CREATE FUNCTION store_device_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO device_search_texts (device_id, search_text)
     VALUES (NEW.id, searchable(concat_ws(E'\\n', NEW.name, NEW.alias, NEW.dns_host_name, NEW.os_description, NEW.agent_version,
       NEW.public_ip_v4, NEW.public_ip_v6, NEW.local_ip_v4, NEW.local_ip_v6,
       array_to_string(NEW.current_users, E'\\n'), array_to_string(NEW.mac_addresses, E'\\n'), NEW.id::text)))
     ON CONFLICT (device_id) DO UPDATE SET search_text = EXCLUDED.search_text;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_search_text_on_insert AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION store_device_search_text()`,
  `CREATE TRIGGER device_search_text_on_update AFTER UPDATE ON devices FOR EACH ROW
     WHEN ((${rowOf('NEW')}) IS DISTINCT FROM (${rowOf('OLD')})) EXECUTE FUNCTION store_device_search_text()`,
];

const DOWN = [
  `DROP TRIGGER device_search_text_on_insert ON devices`,
  `DROP TRIGGER device_search_text_on_update ON devices`,
  `DROP FUNCTION store_device_search_text()`,
  `DROP TABLE device_search_texts`,
  `DROP FUNCTION searchable(text)`,
  `ALTER TABLE devices ADD COLUMN search_text text NOT NULL DEFAULT ''`,
  `CREATE FUNCTION set_device_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.search_text := lower(concat_ws(E'\\n', NEW.name, NEW.alias, NEW.dns_host_name, NEW.os_description, NEW.agent_version,
       NEW.public_ip_v4, NEW.public_ip_v6, NEW.local_ip_v4, NEW.local_ip_v6,
       array_to_string(NEW.current_users, E'\\n'), array_to_string(NEW.mac_addresses, E'\\n'), NEW.id::text));
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER device_search_text_on_insert BEFORE UPDATE ON devices FOR EACH ROW EXECUTE FUNCTION set_device_search_text()`,
  `UPDATE devices SET name = name`,
  `DROP TRIGGER device_search_text_on_insert ON devices`,
  `CREATE INDEX ix_devices_search_text_trgm ON devices USING gin (search_text gin_trgm_ops)`,
  `CREATE TRIGGER device_search_text_on_insert BEFORE INSERT ON devices FOR EACH ROW EXECUTE FUNCTION set_device_search_text()`,
  `CREATE TRIGGER device_search_text_on_update BEFORE UPDATE ON devices FOR EACH ROW
     WHEN ((${rowOf('NEW')}) IS DISTINCT FROM (${rowOf('OLD')})) EXECUTE FUNCTION set_device_search_text()`,
];

/** Keeps what searches look at in a table of its own, in a form that lets the trigram index tell texts with punctuation apart. */
export class DeviceSearchTexts1763800000000 implements MigrationInterface {
  readonly name = 'DeviceSearchTexts1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
