import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The node of each viewer to which devices of other nodes may have to send something. */
export class ViewerPlaces1764420000000 implements MigrationInterface {
  readonly name = 'ViewerPlaces1764420000000';
  /** Earlier releases do not know the table. */
  readonly runsOn = '0.1.0';
  readonly locks = ['nodes'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE viewer_places (
      connection_id varchar(100) NOT NULL,
      node_id varchar(100) NOT NULL,
      CONSTRAINT pk_viewer_places PRIMARY KEY (connection_id),
      CONSTRAINT fk_viewer_places_node_id FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE
    )`);
    await runner.query('CREATE INDEX ix_viewer_places_node_id ON viewer_places (node_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE viewer_places');
  }
}
