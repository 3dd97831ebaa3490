import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE device_fields (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    name varchar(50) NOT NULL,
    type varchar(20) NOT NULL,
    is_listed boolean NOT NULL,
    position integer NOT NULL,
    choices text[] NOT NULL,
    CONSTRAINT pk_device_fields PRIMARY KEY (id),
    CONSTRAINT uq_device_fields_tenant_id_name UNIQUE (tenant_id, name),
    CONSTRAINT fk_device_fields_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE device_field_values (
    device_id uuid NOT NULL,
    field_id uuid NOT NULL,
    value varchar(1000) NOT NULL,
    CONSTRAINT pk_device_field_values PRIMARY KEY (device_id, field_id),
    CONSTRAINT fk_device_field_values_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
    CONSTRAINT fk_device_field_values_field_id FOREIGN KEY (field_id) REFERENCES device_fields (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_device_field_values_field_id ON device_field_values (field_id)`,
  `CREATE TABLE device_notes (
    device_id uuid NOT NULL,
    note varchar(10000) NOT NULL,
    CONSTRAINT pk_device_notes PRIMARY KEY (device_id),
    CONSTRAINT fk_device_notes_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE
  )`,
  // The search for devices looks at both.
  `CREATE INDEX ix_device_field_values_trgm ON device_field_values USING gin (searchable(value) gin_trgm_ops)`,
  `CREATE INDEX ix_device_notes_trgm ON device_notes USING gin (searchable(note) gin_trgm_ops)`,
];

/** Fields that tenants define for their devices, the values of these, and a note for each device. */
export class DeviceFieldsAndNotes1764190000000 implements MigrationInterface {
  readonly name = 'DeviceFieldsAndNotes1764190000000';
  /** Earlier releases know none of the tables. */
  readonly runsOn = '0.1.0';
  readonly locks = ['devices', 'tenants'];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['device_notes', 'device_field_values', 'device_fields']) await runner.query(`DROP TABLE ${table}`);
  }
}
