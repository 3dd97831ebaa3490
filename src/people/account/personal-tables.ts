/** A table with rows about a user, and the columns that the user is shown. */
export interface PersonalTable {
  readonly table: string;
  /** Without hashes of secrets. */
  readonly columns: readonly string[];
  /** SQL condition for the rows about the user `$1`. */
  readonly where: string;
  /** The column in whose order the rows are read; by default `id`. */
  readonly key?: string;
}

const OWN_TOKENS = 'SELECT id FROM personal_access_tokens WHERE user_id = $1';

/** Columns with the user's state before and after a change. The log also has the states of other things that the user changed. */
const STATES = ['before', 'after'].map((state) => `CASE WHEN target_id = $1 THEN ${state}_json END AS ${state}_json`);

/** Everything that is stored about a user, by the name of its list in the download. A test finds tables that are missing. */
export const PERSONAL_DATA: Readonly<Record<string, PersonalTable>> = {
  account: {
    table: 'users',
    columns: [
      'id',
      'created_at',
      'tenant_id',
      'user_name',
      'email',
      'email_confirmed',
      'phone_number',
      'account_type',
      'two_factor_enabled',
      'require_password_change',
      'access_failed_count',
      'lockout_end',
      'last_login',
      'suspended_at',
    ],
    where: 'id = $1',
  },
  preferences: { table: 'user_preferences', columns: ['created_at', 'name', 'value'], where: 'principal_id = $1' },
  storage: { table: 'user_storage_items', columns: ['created_at', 'key', 'value'], where: 'principal_id = $1' },
  knownBrowsers: {
    table: 'known_browsers',
    columns: ['address_block', 'last_sign_in_at'],
    where: 'user_id = $1',
    key: `encode(substring(browser_hash FROM 1 FOR 16), 'hex')::uuid`,
  },
  userGroups: {
    table: 'user_group_members JOIN user_groups ON user_groups.id = user_group_members.user_group_id',
    columns: ['user_groups.id', 'user_groups.name'],
    where: 'user_id = $1',
    key: 'user_groups.id',
  },
  permissionAssignments: {
    table: 'permission_assignments',
    columns: [
      'id',
      'created_at',
      'principal_kind',
      'principal_id',
      'permission_name',
      'effect',
      'scope_kind',
      'scope_id',
      'is_enabled',
      'notes',
    ],
    where: `principal_id = $1 OR principal_id IN (${OWN_TOKENS})`,
  },
  personalAccessTokens: {
    table: 'personal_access_tokens',
    columns: ['id', 'created_at', 'name', 'permission_mode', 'last_used', 'expires_at', 'revoked_at', 'created_by_user_id'],
    where: 'user_id = $1',
  },
  sessions: {
    table: 'sessions',
    columns: [
      'id',
      'created_at',
      'method',
      'is_persistent',
      'last_used_at',
      'proven_at',
      'expires_at',
      'access_expires_at',
      'remote_address',
      'user_agent',
    ],
    where: 'user_id = $1',
  },
  authenticators: { table: 'authenticators', columns: ['confirmed_at'], where: 'user_id = $1', key: 'user_id' },
  passkeys: {
    table: 'passkeys',
    columns: ['id', 'created_at', 'name', 'transports', 'device_type', 'is_backed_up', 'last_used_at'],
    where: 'user_id = $1',
  },
  recoveryCodes: { table: 'recovery_codes', columns: ['id'], where: 'user_id = $1' },
  externalLogins: {
    table: 'external_logins',
    columns: ['id', 'created_at', 'provider', 'issuer', 'subject', 'display_name', 'email', 'last_used_at'],
    where: 'user_id = $1',
  },
  mailedCodes: { table: 'account_codes', columns: ['created_at', 'purpose', 'new_email', 'expires_at'], where: 'user_id = $1' },
  invites: { table: 'invites', columns: ['created_at', 'invitee_email', 'inviter_name'], where: 'user_id = $1' },
  logonTokens: {
    table: 'logon_tokens',
    columns: ['id', 'created_at', 'device_id', 'expires_at', 'consumed_at', 'user_correlation_id', 'session_correlation_id'],
    where: 'user_id = $1',
  },
  securityLog: {
    table: 'security_events',
    columns: ['id', 'created_at', 'user_name', 'kind', 'detail', 'remote_address', 'user_agent'],
    where: 'user_id = $1',
  },
  deviceActivities: {
    table: 'device_activities',
    columns: [
      'id',
      'device_id',
      'kind',
      'principal_name',
      'ip_address',
      'subject',
      'started_at',
      'ended_at',
      'bytes_in',
      'bytes_out',
      'outcome',
    ],
    where: 'principal_id = $1',
  },
  changes: {
    table: 'authorization_change_logs',
    columns: ['id', 'created_at', 'action_type', 'actor_principal_id', 'target_type', 'target_id', 'ip_address', ...STATES],
    where: 'actor_principal_id = $1 OR target_id = $1',
  },
};
