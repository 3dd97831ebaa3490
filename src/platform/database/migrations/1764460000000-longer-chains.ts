import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHAIN = `CREATE OR REPLACE FUNCTION chain_change_log(log uuid, entries authorization_change_logs[]) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     head change_log_chains;
     entry authorization_change_logs;
     ids uuid[] := '{}';
     previous bytea[] := '{}';
     hashes bytea[] := '{}';
   BEGIN
     SELECT * INTO head FROM change_log_chains WHERE log_id = log FOR UPDATE;
     IF NOT FOUND THEN
       INSERT INTO change_log_chains (log_id) VALUES (log) ON CONFLICT DO NOTHING;
       SELECT * INTO head FROM change_log_chains WHERE log_id = log FOR UPDATE;
     END IF;
     FOREACH entry IN ARRAY entries LOOP
       previous := previous || head.hash;
       head.hash := change_log_hash(log, head.position + cardinality(ids) + 1, head.hash, entry);
       ids := ids || entry.id;
       hashes := hashes || head.hash;
     END LOOP;
     -- Not by their places: PostgreSQL would count from the first hash to each of them.
     INSERT INTO change_log_links (log_id, position, entry_id, previous_hash, hash)
       SELECT log, head.position + l.place, l.id, l.previous, l.hash
       FROM unnest(ids, previous, hashes) WITH ORDINALITY AS l (id, previous, hash, place);
     UPDATE change_log_chains SET position = head.position + cardinality(ids), hash = head.hash WHERE log_id = log;
   END $$`;

const FORMER_CHAIN = `CREATE OR REPLACE FUNCTION chain_change_log(log uuid, entries authorization_change_logs[]) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     head change_log_chains;
     entry authorization_change_logs;
     ids uuid[] := '{}';
     hashes bytea[];
   BEGIN
     SELECT * INTO head FROM change_log_chains WHERE log_id = log FOR UPDATE;
     IF NOT FOUND THEN
       INSERT INTO change_log_chains (log_id) VALUES (log) ON CONFLICT DO NOTHING;
       SELECT * INTO head FROM change_log_chains WHERE log_id = log FOR UPDATE;
     END IF;
     hashes := ARRAY[head.hash];
     FOREACH entry IN ARRAY entries LOOP
       head.hash := change_log_hash(log, head.position + cardinality(ids) + 1, head.hash, entry);
       ids := ids || entry.id;
       hashes := hashes || head.hash;
     END LOOP;
     INSERT INTO change_log_links (log_id, position, entry_id, previous_hash, hash)
       SELECT log, head.position + place, ids[place], hashes[place], hashes[place + 1] FROM generate_series(1, cardinality(ids)) AS place;
     UPDATE change_log_chains SET position = head.position + cardinality(ids), hash = head.hash WHERE log_id = log;
   END $$`;

/** The function that chains the entries of a transaction takes a time that grows with their number, and no longer with its square. */
export class LongerChains1764460000000 implements MigrationInterface {
  readonly name = 'LongerChains1764460000000';
  /** Earlier releases call the same function. */
  readonly runsOn = '0.1.0';
  readonly locks: readonly string[] = [];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CHAIN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(FORMER_CHAIN);
  }
}
