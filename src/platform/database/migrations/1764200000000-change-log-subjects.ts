import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE change_log_subjects (
    entry_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    log_id uuid NOT NULL,
    recorded_at timestamptz NOT NULL,
    kind varchar(50) NOT NULL,
    name text,
    is_actor boolean NOT NULL,
    CONSTRAINT pk_change_log_subjects PRIMARY KEY (entry_id, subject_id),
    CONSTRAINT fk_change_log_subjects_entry_id FOREIGN KEY (entry_id) REFERENCES authorization_change_logs (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_change_log_subjects_log_id_subject_id_recorded_at_entry_id ON change_log_subjects (log_id, subject_id, recorded_at, entry_id)`,
  `CREATE TABLE change_log_names (
    id uuid NOT NULL,
    log_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    kind varchar(50) NOT NULL,
    name text NOT NULL,
    login text,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_change_log_names PRIMARY KEY (id)
  )`,
  `CREATE INDEX ix_change_log_names_log_id_subject_id ON change_log_names (log_id, subject_id)`,
  `CREATE TABLE change_log_backfill (
    next_id uuid NOT NULL,
    CONSTRAINT pk_change_log_backfill PRIMARY KEY (next_id)
  )`,
  `CREATE INDEX ix_change_logs_action
     ON authorization_change_logs (owning_tenant_id, action_type, created_at, id)`,
  `CREATE FUNCTION change_log_state(text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
   BEGIN
     RETURN CASE WHEN left($1, 1) = '{' THEN $1::jsonb ELSE '{}' END;
   EXCEPTION WHEN data_exception THEN
     RETURN '{}';
   END $$`,
  `CREATE FUNCTION index_change_log(authorization_change_logs[]) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     WITH entry AS MATERIALIZED (
       SELECT e.id, e.created_at, coalesce(e.owning_tenant_id, '00000000-0000-0000-0000-000000000000') AS log_id, e.action_type,
              e.actor_principal_type, e.actor_principal_id, e.target_type, e.target_id, e.user_correlation_id, e.session_correlation_id,
              change_log_state(e.before_json) AS before, change_log_state(e.after_json) AS after
       FROM unnest($1) e
     ), member AS MATERIALIZED (
       SELECT entry.id AS entry_id, state, m.key, m.value
       FROM entry CROSS JOIN LATERAL (VALUES (entry.before), (entry.after)) AS s(state) CROSS JOIN LATERAL jsonb_each(state) m
     ), mention (entry_id, subject_id, kind, name, is_actor) AS (
       SELECT id, actor_principal_id, CASE actor_principal_type WHEN 'user' THEN 'User' ELSE 'ServiceAccount' END, NULL, TRUE
         FROM entry WHERE actor_principal_id IS NOT NULL
       UNION ALL
       SELECT id, target_id,
              CASE action_type WHEN 'permission-assignments-seeded' THEN coalesce(after->>'principalKind', 'User') ELSE target_type END,
              CASE WHEN action_type NOT IN ('device-tag-added', 'device-tag-removed', 'user-passkey-added', 'user-passkey-removed', 'user-passkey-renamed') THEN
                coalesce(nullif(after->>'alias', ''), nullif(before->>'alias', ''), after->>'name', before->>'name', after->>'friendlyName',
                         before->>'friendlyName', after->>'userName', before->>'userName', after->>'inviteeEmail', before->>'inviteeEmail')
              END, FALSE
         FROM entry WHERE target_id IS NOT NULL
       UNION ALL
       SELECT entry_id, (id #>> '{}')::uuid, k.kind, NULL, FALSE
         FROM member CROSS JOIN LATERAL (SELECT CASE key
           WHEN 'principalId' THEN state->>'principalKind'
           WHEN 'scopeId' THEN CASE state->>'scopeKind' WHEN 'CustomerTenant' THEN 'Customer' ELSE state->>'scopeKind' END
           ELSE CASE
           WHEN key ILIKE '%deviceId%' THEN 'Device'
           WHEN key ILIKE '%userGroupId%' THEN 'UserGroup'
           WHEN key ILIKE '%serviceAccountId%' THEN 'ServiceAccount'
           WHEN key ILIKE '%userId%' THEN 'User'
           WHEN key ILIKE '%tagId%' THEN 'Tag'
           WHEN key ILIKE '%customer%' THEN 'Customer'
           WHEN key ILIKE '%installerKeyId%' THEN 'InstallerKey'
           WHEN key ILIKE 'personalAccessTokens' THEN 'PersonalAccessToken'
           WHEN key ILIKE 'credentials' THEN 'ServiceAccountCredential'
           WHEN key ILIKE 'inviteId' THEN 'Invite'
           END END AS kind) k
         CROSS JOIN LATERAL jsonb_path_query(value, 'strict $.** ? (@.type() == "string" && @ like_regex "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")') id
         WHERE k.kind IS NOT NULL AND NOT (key = 'scopeId' AND k.kind = 'Tenant')
       UNION ALL
       SELECT entry_id, md5('Permission:' || name)::uuid, 'Permission', name, FALSE
         FROM member CROSS JOIN LATERAL jsonb_path_query(value, 'lax $[*] ? (@.type() == "string")') v CROSS JOIN LATERAL (SELECT v #>> '{}') AS n(name)
         WHERE key IN ('permissionName', 'permissions')
       UNION ALL
       SELECT entry_id, md5('Preset:' || name)::uuid, 'Preset', name, FALSE
         FROM member CROSS JOIN LATERAL jsonb_path_query(value, 'lax $[*] ? (@.type() == "string")') v CROSS JOIN LATERAL (SELECT v #>> '{}') AS n(name)
         WHERE key = 'presets'
       UNION ALL
       SELECT entry.id, md5('Reference:' || reference)::uuid, 'Reference', reference, FALSE
         FROM entry CROSS JOIN LATERAL (VALUES (user_correlation_id), (session_correlation_id), (after->>'userCorrelationId'),
                                               (after->>'sessionCorrelationId')) AS r(reference)
         WHERE reference IS NOT NULL
     ), found AS MATERIALIZED (
       SELECT entry_id, subject_id, max(kind) AS kind, max(name) AS name, bool_or(is_actor) AS is_actor FROM mention GROUP BY 1, 2
     ), stored AS (
       INSERT INTO change_log_subjects (entry_id, subject_id, log_id, recorded_at, kind, name, is_actor)
       SELECT f.entry_id, f.subject_id, entry.log_id, entry.created_at, f.kind,
              CASE WHEN f.name IS NOT NULL AND f.kind <> 'User' THEN f.name ELSE coalesce(CASE f.kind
           WHEN  'User' THEN (SELECT coalesce(p.value, u.user_name) FROM users u
       LEFT JOIN user_preferences p ON p.principal_id = u.id AND p.name = 'user-display-name'
       WHERE u.id = f.subject_id AND entry.log_id IN (u.tenant_id, '00000000-0000-0000-0000-000000000000'))
           WHEN  'Device' THEN (SELECT coalesce(nullif(d.alias, ''), d.name) FROM devices d WHERE d.id = f.subject_id)
           WHEN  'UserGroup' THEN (SELECT g.name FROM user_groups g WHERE g.id = f.subject_id)
           WHEN  'DeviceGroup' THEN (SELECT g.name FROM device_groups g WHERE g.id = f.subject_id)
           WHEN  'ServiceAccount' THEN (SELECT a.name FROM service_accounts a WHERE a.id = f.subject_id)
           WHEN  'ServiceAccountCredential' THEN (SELECT c.name FROM service_account_credentials c WHERE c.id = f.subject_id)
           WHEN  'PersonalAccessToken' THEN (SELECT t.name FROM personal_access_tokens t WHERE t.id = f.subject_id)
           WHEN  'Customer' THEN (SELECT c.name FROM customers c WHERE c.id = f.subject_id)
           WHEN  'Tag' THEN (SELECT t.name FROM tags t WHERE t.id = f.subject_id)
           WHEN  'InstallerKey' THEN (SELECT k.friendly_name FROM installer_keys k WHERE k.id = f.subject_id)
           WHEN  'Invite' THEN (SELECT i.invitee_email FROM invites i WHERE i.id = f.subject_id)
           WHEN  'Tenant' THEN (SELECT t.name FROM tenants t WHERE t.id = f.subject_id)
              END, f.name) END, f.is_actor
       FROM found f JOIN entry ON entry.id = f.entry_id
       ON CONFLICT DO NOTHING
       RETURNING log_id, subject_id, kind, name
     ), named AS (
       SELECT DISTINCT s.log_id, s.subject_id, s.kind, s.name, nullif(u.user_name, s.name) AS login
       FROM stored s LEFT JOIN users u ON s.kind = 'User' AND u.id = s.subject_id
       WHERE s.name IS NOT NULL
     )
     INSERT INTO change_log_names (id, log_id, subject_id, kind, name, login)
     SELECT gen_random_uuid(), log_id, subject_id, kind, name, login FROM named n
     WHERE NOT EXISTS (SELECT FROM change_log_names k WHERE k.log_id = n.log_id AND k.subject_id = n.subject_id
                         AND k.name = n.name AND k.login IS NOT DISTINCT FROM n.login);
   END $$`,
  `CREATE FUNCTION index_written_changes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM index_change_log(array_agg(ROW(entry.*)::authorization_change_logs)) FROM written AS entry;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER change_log_indexed AFTER INSERT ON authorization_change_logs REFERENCING NEW TABLE AS written
     FOR EACH STATEMENT EXECUTE FUNCTION index_written_changes()`,
  `INSERT INTO change_log_backfill (next_id)
     SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff' WHERE EXISTS (SELECT FROM authorization_change_logs)`,
];

const DOWN = [
  'DROP TRIGGER change_log_indexed ON authorization_change_logs',
  'DROP FUNCTION index_written_changes()',
  'DROP FUNCTION index_change_log(authorization_change_logs[])',
  'DROP FUNCTION change_log_state(text)',
  'DROP INDEX ix_change_logs_action',
  'DROP TABLE change_log_backfill',
  'DROP TABLE change_log_names',
  'DROP TABLE change_log_subjects',
];

/**
 * Indexes the change log by everything that its entries name. A trigger indexes new entries; those that are there already wait for the
 * background job `change log index`, so that a large log does not delay the start.
 */
export class ChangeLogSubjects1764200000000 implements MigrationInterface {
  readonly name = 'ChangeLogSubjects1764200000000';
  /** Earlier releases write entries as before, and the trigger indexes them. */
  readonly runsOn = '0.1.0';
  readonly locks = ['authorization_change_logs'];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
