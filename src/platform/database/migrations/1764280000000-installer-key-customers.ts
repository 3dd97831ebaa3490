import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers of installer keys: devices that register with a key go to its customer. */
export class InstallerKeyCustomers1764280000000 implements MigrationInterface {
  readonly name = 'InstallerKeyCustomers1764280000000';
  /** Earlier releases do not know the table. */
  readonly runsOn = '0.1.0';
  readonly locks = ['customers', 'installer_keys'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE installer_key_customers (
      installer_key_id uuid NOT NULL,
      customer_id uuid NOT NULL,
      CONSTRAINT pk_installer_key_customers PRIMARY KEY (installer_key_id),
      CONSTRAINT fk_installer_key_customers_installer_key_id
        FOREIGN KEY (installer_key_id) REFERENCES installer_keys (id) ON DELETE CASCADE,
      CONSTRAINT fk_installer_key_customers_customer_id FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE
    )`);
    await runner.query('CREATE INDEX ix_installer_key_customers_customer_id ON installer_key_customers (customer_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE installer_key_customers');
  }
}
