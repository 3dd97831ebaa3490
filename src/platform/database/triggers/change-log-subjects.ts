/** Members of an entry's states, as a pattern of their names, and the kind of object whose ids they hold. */
const KINDS_OF_IDS: readonly (readonly [pattern: string, kind: string])[] = [
  ['%deviceId%', 'Device'],
  ['%userGroupId%', 'UserGroup'],
  ['%serviceAccountId%', 'ServiceAccount'],
  ['%userId%', 'User'],
  ['%tagId%', 'Tag'],
  ['%customer%', 'Customer'],
  ['%installerKeyId%', 'InstallerKey'],
  ['personalAccessTokens', 'PersonalAccessToken'],
  ['credentials', 'ServiceAccountCredential'],
  ['inviteId', 'Invite'],
];

/**
 * Statements that read the name of an object of a kind by its id, `f.subject_id`. Users of another tenant, who may change things of this one
 * by their rights on the server, stay unnamed in its log.
 */
const NAMES: readonly (readonly [kind: string, select: string])[] = [
  [
    'User',
    `SELECT coalesce(p.value, u.user_name) FROM users u
       LEFT JOIN user_preferences p ON p.principal_id = u.id AND p.name = 'user-display-name'
       WHERE u.id = f.subject_id AND entry.log_id IN (u.tenant_id, '00000000-0000-0000-0000-000000000000')`,
  ],
  ['Device', `SELECT coalesce(nullif(d.alias, ''), d.name) FROM devices d WHERE d.id = f.subject_id`],
  ['UserGroup', 'SELECT g.name FROM user_groups g WHERE g.id = f.subject_id'],
  ['DeviceGroup', 'SELECT g.name FROM device_groups g WHERE g.id = f.subject_id'],
  ['ServiceAccount', 'SELECT a.name FROM service_accounts a WHERE a.id = f.subject_id'],
  ['ServiceAccountCredential', 'SELECT c.name FROM service_account_credentials c WHERE c.id = f.subject_id'],
  ['PersonalAccessToken', 'SELECT t.name FROM personal_access_tokens t WHERE t.id = f.subject_id'],
  ['Customer', 'SELECT c.name FROM customers c WHERE c.id = f.subject_id'],
  ['Tag', 'SELECT t.name FROM tags t WHERE t.id = f.subject_id'],
  ['InstallerKey', 'SELECT k.friendly_name FROM installer_keys k WHERE k.id = f.subject_id'],
  ['Invite', 'SELECT i.invitee_email FROM invites i WHERE i.id = f.subject_id'],
  ['Tenant', 'SELECT t.name FROM tenants t WHERE t.id = f.subject_id'],
];

const GUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** Targets whose states name another thing than the target. */
const NAMES_OTHERS = `('device-tag-added', 'device-tag-removed', 'user-passkey-added', 'user-passkey-removed', 'user-passkey-renamed')`;

const whens = (of: string, pairs: readonly (readonly [string, string])[], text: (second: string) => string): string =>
  pairs.map(([first, second]) => `WHEN ${of} '${first}' THEN ${text(second)}`).join('\n           ');

/**
 * The index of the change log: for each entry, all persons, objects, permissions, presets and external references that it names, with the
 * names that they have at that time. A trigger writes it, so that processes of an earlier release, which do not know the index, fill it too.
 */
export const changeLogSubjects: readonly string[] = [
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
              CASE WHEN action_type NOT IN ${NAMES_OTHERS} THEN
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
           ${whens('key ILIKE', KINDS_OF_IDS, (kind) => `'${kind}'`)}
           END END AS kind) k
         CROSS JOIN LATERAL jsonb_path_query(value, 'strict $.** ? (@.type() == "string" && @ like_regex "${GUID}")') id
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
           ${whens('', NAMES, (select) => `(${select})`)}
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
];
