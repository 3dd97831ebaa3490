import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE devices ADD COLUMN details_digest varchar(40) NOT NULL DEFAULT ''`,
  `CREATE FUNCTION forget_details_digest() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE devices SET details_digest = '' WHERE id = NEW.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_details_changed AFTER UPDATE OF name, agent_version, dns_host_name, os_description, local_ip_v4, local_ip_v6,
       processor_count, is64_bit, os_architecture, platform, current_users, mac_addresses, drives ON devices FOR EACH ROW
     WHEN (NEW.details_digest <> '' AND NEW.details_digest = OLD.details_digest
       AND (NEW.name, NEW.agent_version, NEW.dns_host_name, NEW.os_description, NEW.local_ip_v4, NEW.local_ip_v6, NEW.processor_count,
            NEW.is64_bit, NEW.os_architecture, NEW.platform, NEW.current_users, NEW.mac_addresses, NEW.drives)
         IS DISTINCT FROM
           (OLD.name, OLD.agent_version, OLD.dns_host_name, OLD.os_description, OLD.local_ip_v4, OLD.local_ip_v6, OLD.processor_count,
            OLD.is64_bit, OLD.os_architecture, OLD.platform, OLD.current_users, OLD.mac_addresses, OLD.drives))
     EXECUTE FUNCTION forget_details_digest()`,
];

/** The digest of a device's details, against which the first report through a connection is compared. */
export class DetailsDigest1764470000000 implements MigrationInterface {
  readonly name = 'DetailsDigest1764470000000';
  /** Earlier releases do not know the column. What they write empties it. */
  readonly runsOn = '0.1.0';
  readonly locks = ['devices'];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER device_details_changed ON devices');
    await runner.query('DROP FUNCTION forget_details_digest');
    await runner.query('ALTER TABLE devices DROP COLUMN details_digest');
  }
}
