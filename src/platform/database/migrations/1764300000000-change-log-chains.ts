import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries that one statement chains. */
const BATCH = 10_000;

const TABLES = [
  `CREATE TABLE change_log_links (
    log_id uuid NOT NULL,
    position bigint NOT NULL,
    entry_id uuid NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT pk_change_log_links PRIMARY KEY (log_id, position),
    CONSTRAINT uq_change_log_links_entry_id UNIQUE (entry_id)
  )`,
  `CREATE TABLE change_log_chains (
    log_id uuid NOT NULL,
    position bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL DEFAULT '\\x',
    removed_position bigint NOT NULL DEFAULT 0,
    removed_hash bytea NOT NULL DEFAULT '\\x',
    CONSTRAINT pk_change_log_chains PRIMARY KEY (log_id)
  )`,
];

const TRIGGERS = [
  `CREATE FUNCTION change_log_hash(log uuid, place bigint, previous bytea, entry authorization_change_logs) RETURNS bytea LANGUAGE sql STABLE AS $$
     SELECT sha256(convert_to(json_build_array('change-log/1', log::text, place::text, encode(previous, 'hex'),
       entry.id::text, (extract(epoch FROM entry.created_at) * 1000000)::bigint::text, entry.action_type, entry.actor_principal_type, entry.actor_principal_id::text, entry.target_type, entry.target_id::text, entry.owning_tenant_id::text, entry.ip_address, entry.correlation_id, entry.user_correlation_id, entry.session_correlation_id, entry.before_json, entry.after_json)::text, 'UTF8'))
   $$`,
  `CREATE FUNCTION chain_change_log(log uuid, entries authorization_change_logs[]) RETURNS void LANGUAGE plpgsql AS $$
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
   END $$`,
  `CREATE FUNCTION chain_written_changes() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     announced text := coalesce(current_setting('change_log.announced', true), '');
     log uuid;
     entries authorization_change_logs[];
   BEGIN
     IF announced = '' THEN RETURN NULL; END IF;
     IF length(announced) = 36 THEN
       -- The transaction wrote one entry. One statement costs half of what several do.
       log := announced;
       WITH head AS (
         SELECT * FROM change_log_chains c WHERE c.log_id = log FOR UPDATE
       ), link AS (
         INSERT INTO change_log_links (log_id, position, entry_id, previous_hash, hash)
         SELECT log, head.position + 1, NEW.id, head.hash, change_log_hash(log, head.position + 1, head.hash, NEW) FROM head
         RETURNING position, hash
       )
       UPDATE change_log_chains c SET position = link.position, hash = link.hash FROM link WHERE c.log_id = log;
       IF NOT FOUND THEN PERFORM chain_change_log(log, ARRAY[NEW]); END IF;
     ELSE
       FOR log IN SELECT DISTINCT a::uuid FROM unnest(string_to_array(announced, ',')) a ORDER BY 1 DESC LOOP
         IF log = '00000000-0000-0000-0000-000000000000' THEN
           SELECT array_agg(e ORDER BY e.id) INTO entries FROM authorization_change_logs e
         WHERE e.owning_tenant_id IS NULL AND e.created_at = now() AND NOT EXISTS (SELECT FROM change_log_links l WHERE l.entry_id = e.id);
         ELSE
           SELECT array_agg(e ORDER BY e.id) INTO entries FROM authorization_change_logs e
         WHERE e.owning_tenant_id = log AND e.created_at = now() AND NOT EXISTS (SELECT FROM change_log_links l WHERE l.entry_id = e.id);
         END IF;
         IF entries IS NOT NULL THEN PERFORM chain_change_log(log, entries); END IF;
       END LOOP;
     END IF;
     PERFORM set_config('change_log.announced', '', true);
     RETURN NULL;
   END $$`,
  `CREATE CONSTRAINT TRIGGER change_log_chained AFTER INSERT ON authorization_change_logs DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION chain_written_changes()`,
];

const SERVER_LOG = '00000000-0000-0000-0000-000000000000';
const LOGS = 'SELECT DISTINCT owning_tenant_id AS "tenantId" FROM authorization_change_logs';

/** The place of an entry in the order of time. */
interface Place {
  readonly at: string;
  readonly id: string;
}

const START: Place = { at: '-infinity', id: SERVER_LOG };

/** Chains the next entries of a log, in the order of time, and returns where they end. */
const chain = (condition: string): string => `
  WITH batch AS MATERIALIZED (
    SELECT e FROM authorization_change_logs e
    WHERE ${condition} AND (e.created_at, e.id) > ($2::timestamptz, $3::uuid)
    ORDER BY e.created_at, e.id LIMIT ${BATCH}
  ), done AS MATERIALIZED (SELECT chain_change_log($1, array_agg(e ORDER BY (e).created_at, (e).id)) FROM batch HAVING count(*) > 0)
  SELECT (e).created_at::text AS at, (e).id FROM batch, done ORDER BY (e).created_at DESC, (e).id DESC LIMIT 1`;

const DOWN = [
  'DROP TRIGGER change_log_chained ON authorization_change_logs',
  'DROP FUNCTION chain_written_changes()',
  'DROP FUNCTION chain_change_log(uuid, authorization_change_logs[])',
  'DROP FUNCTION change_log_hash(uuid, bigint, bytea, authorization_change_logs)',
  'DROP TABLE change_log_chains',
  'DROP TABLE change_log_links',
];

/** Chains the entries of the change log by hashes, those that are there already in batches. */
export class ChangeLogChains1764300000000 implements MigrationInterface {
  readonly name = 'ChangeLogChains1764300000000';
  /** Earlier releases write entries without a link. */
  readonly runsOn = '0.1.0';
  readonly locks = ['authorization_change_logs'];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...TRIGGERS]) await runner.query(statement);
    for (const { tenantId } of (await runner.query(LOGS)) as { readonly tenantId: string | null }[]) {
      const statement = chain(tenantId === null ? 'e.owning_tenant_id IS NULL' : 'e.owning_tenant_id = $1');
      for (let last: Place | undefined = START; last !== undefined;) {
        [last] = (await runner.query(statement, [tenantId ?? SERVER_LOG, last.at, last.id])) as [Place?];
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
