import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The node that each session of the relay is at home at. */
export class RelayPlaces1764430000000 implements MigrationInterface {
  readonly name = 'RelayPlaces1764430000000';
  /** Earlier releases do not know the table. */
  readonly runsOn = '0.1.0';
  readonly locks = ['nodes'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE relay_places (
      session uuid NOT NULL,
      node_id varchar(100) NOT NULL,
      is_requested boolean NOT NULL,
      expires_at timestamptz,
      CONSTRAINT pk_relay_places PRIMARY KEY (session),
      CONSTRAINT fk_relay_places_node_id FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE
    )`);
    await runner.query('CREATE INDEX ix_relay_places_node_id ON relay_places (node_id)');
    await runner.query('CREATE INDEX ix_relay_places_expires_at ON relay_places (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE relay_places');
  }
}
