/** The columns of an entry in the order in which its hash covers them, as texts. */
const COVERED = [
  'entry.id::text',
  // Microseconds since 1970, which no setting of the session changes.
  '(extract(epoch FROM entry.created_at) * 1000000)::bigint::text',
  'entry.action_type',
  'entry.actor_principal_type',
  'entry.actor_principal_id::text',
  'entry.target_type',
  'entry.target_id::text',
  'entry.owning_tenant_id::text',
  'entry.ip_address',
  'entry.correlation_id',
  'entry.user_correlation_id',
  'entry.session_correlation_id',
  'entry.before_json',
  'entry.after_json',
];

const SERVER_LOG = '00000000-0000-0000-0000-000000000000';

/** The condition on entries `e` of the log, for a plan that uses the index of its tenant. */
const own = (condition: string): string => `SELECT array_agg(e ORDER BY e.id) INTO entries FROM authorization_change_logs e
         WHERE ${condition} AND e.created_at = now() AND NOT EXISTS (SELECT FROM change_log_links l WHERE l.entry_id = e.id);`;

/**
 * The chains of the change log: one of each tenant, and one of the server. Each entry has a link with its position and with the hash over
 * its contents and the hash before it (`src/access/change-logs/chain/entry-hash.ts` describes the form).
 *
 * The database writes the links at the end of the transaction, in one visit, so that the transaction holds the head of a chain only while it
 * commits, and after all its other locks. Heads are taken in one order, the server's last, so that no two transactions wait for each other.
 *
 * A transaction chains what the service's one writer announced (`ChangeLog.write`). A row that anything else inserted gets no link, by which
 * it is found.
 */
export const changeLogChain: readonly string[] = [
  `CREATE FUNCTION change_log_hash(log uuid, place bigint, previous bytea, entry authorization_change_logs) RETURNS bytea LANGUAGE sql STABLE AS $$
     SELECT sha256(convert_to(json_build_array('change-log/1', log::text, place::text, encode(previous, 'hex'),
       ${COVERED.join(', ')})::text, 'UTF8'))
   $$`,
  `CREATE FUNCTION chain_change_log(log uuid, entries authorization_change_logs[]) RETURNS void LANGUAGE plpgsql AS $$
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
         IF log = '${SERVER_LOG}' THEN
           ${own('e.owning_tenant_id IS NULL')}
         ELSE
           ${own('e.owning_tenant_id = log')}
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
