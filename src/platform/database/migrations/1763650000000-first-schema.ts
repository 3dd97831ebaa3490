import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables, keys and indexes, as the entities describe them. A table comes after those that its rows name. */
const TABLES = [
  `CREATE TABLE tenants (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    name varchar(100),
    deleted_at timestamptz,
    CONSTRAINT pk_tenants PRIMARY KEY (id)
  )`,
  `CREATE TABLE users (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    user_name varchar(256) NOT NULL,
    normalized_user_name varchar(256) NOT NULL,
    email varchar(256),
    normalized_email varchar(256),
    email_confirmed boolean NOT NULL DEFAULT false,
    password_hash text,
    security_stamp uuid NOT NULL,
    two_factor_enabled boolean NOT NULL DEFAULT false,
    lockout_end timestamptz,
    lockout_enabled boolean NOT NULL DEFAULT true,
    access_failed_count integer NOT NULL DEFAULT 0,
    phone_number varchar(50),
    account_type varchar(50) NOT NULL DEFAULT 'User',
    last_login timestamptz,
    require_password_change boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT fk_users_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_users_normalized_email ON users (normalized_email)`,
  `CREATE INDEX ix_users_tenant_id_user_name_id ON users (tenant_id, user_name, id)`,
  `CREATE UNIQUE INDEX uq_users_external_user_name ON users (tenant_id, normalized_user_name) WHERE account_type = 'ExternalUser'`,
  `CREATE UNIQUE INDEX uq_users_normalized_user_name ON users (normalized_user_name) WHERE account_type = 'User'`,
  `CREATE TABLE account_codes (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL,
    purpose varchar(50) NOT NULL,
    hashed_code bytea NOT NULL,
    security_stamp uuid NOT NULL,
    new_email varchar(256),
    expires_at timestamptz NOT NULL,
    CONSTRAINT pk_account_codes PRIMARY KEY (id),
    CONSTRAINT uq_account_codes_user_id_purpose UNIQUE (user_id, purpose),
    CONSTRAINT fk_account_codes_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE authenticators (
    user_id uuid NOT NULL,
    secret bytea NOT NULL,
    confirmed_at timestamptz,
    last_step integer,
    CONSTRAINT pk_authenticators PRIMARY KEY (user_id),
    CONSTRAINT fk_authenticators_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE authorization_change_logs (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    action_type varchar(100) NOT NULL,
    actor_principal_type varchar(50) NOT NULL,
    actor_principal_id uuid,
    target_type varchar(100) NOT NULL,
    target_id uuid,
    owning_tenant_id uuid,
    ip_address varchar(64),
    correlation_id varchar(100),
    user_correlation_id varchar(252),
    session_correlation_id varchar(128),
    before_json text,
    after_json text,
    CONSTRAINT pk_authorization_change_logs PRIMARY KEY (id)
  )`,
  `CREATE INDEX ix_authorization_change_logs_actor_principal_id ON authorization_change_logs (actor_principal_id)`,
  `CREATE INDEX ix_authorization_change_logs_created_at ON authorization_change_logs USING brin (created_at)`,
  `CREATE INDEX ix_authorization_change_logs_owning_tenant_id_created_at_id ON authorization_change_logs (owning_tenant_id, created_at, id)`,
  `CREATE INDEX ix_authorization_change_logs_target_id ON authorization_change_logs (target_id)`,
  `CREATE INDEX ix_change_logs_session_correlation_id ON authorization_change_logs (session_correlation_id) WHERE session_correlation_id IS NOT NULL`,
  `CREATE INDEX ix_change_logs_user_correlation_id ON authorization_change_logs (user_correlation_id) WHERE user_correlation_id IS NOT NULL`,
  `CREATE TABLE customers (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    name varchar(100) NOT NULL,
    description varchar(500),
    notes varchar(500),
    CONSTRAINT pk_customers PRIMARY KEY (id),
    CONSTRAINT uq_customers_tenant_id_name UNIQUE (tenant_id, name),
    CONSTRAINT fk_customers_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE deleted_devices (
    id uuid NOT NULL,
    deleted_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_deleted_devices PRIMARY KEY (id)
  )`,
  `CREATE TABLE device_activities (
    id uuid NOT NULL,
    tenant_id uuid,
    device_id uuid,
    kind varchar(50) NOT NULL,
    principal_kind varchar(50) NOT NULL,
    principal_id uuid,
    principal_name varchar(256) NOT NULL,
    ip_address varchar(64),
    correlation_id varchar(100) NOT NULL,
    user_correlation_id varchar(252),
    session_correlation_id varchar(128),
    subject varchar(1024),
    node_id varchar(100) NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    bytes_in bigint NOT NULL DEFAULT 0,
    bytes_out bigint NOT NULL DEFAULT 0,
    outcome varchar(50),
    CONSTRAINT pk_device_activities PRIMARY KEY (id)
  )`,
  `CREATE INDEX ix_device_activities_principal_id_id ON device_activities (principal_id, id)`,
  `CREATE INDEX ix_device_activities_running ON device_activities (node_id) WHERE ended_at IS NULL`,
  `CREATE INDEX ix_device_activities_started_at ON device_activities USING brin (started_at)`,
  `CREATE INDEX ix_device_activities_tenant_id_device_id_started_at_id ON device_activities (tenant_id, device_id, started_at, id)`,
  `CREATE TABLE device_groups (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    name varchar(100) NOT NULL,
    description varchar(500),
    CONSTRAINT pk_device_groups PRIMARY KEY (id),
    CONSTRAINT uq_device_groups_tenant_id_name UNIQUE (tenant_id, name),
    CONSTRAINT fk_device_groups_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE devices (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    customer_id uuid,
    name varchar(100) NOT NULL DEFAULT '',
    alias varchar(100) NOT NULL DEFAULT '',
    agent_version varchar(50) NOT NULL DEFAULT '',
    connection_id varchar(100) NOT NULL DEFAULT '',
    node_id varchar(100),
    dns_host_name varchar(255) NOT NULL DEFAULT '',
    os_description varchar(300) NOT NULL DEFAULT '',
    local_ip_v4 varchar(15) NOT NULL DEFAULT '',
    local_ip_v6 varchar(39) NOT NULL DEFAULT '',
    public_ip_v4 varchar(15) NOT NULL DEFAULT '',
    public_ip_v6 varchar(39) NOT NULL DEFAULT '',
    public_key varchar(100) NOT NULL DEFAULT '',
    key_pending_since timestamptz,
    waiting_public_key varchar(100) NOT NULL DEFAULT '',
    waiting_update_ticks bigint NOT NULL DEFAULT 0,
    last_update_ticks bigint NOT NULL DEFAULT 0,
    cpu_utilization double precision NOT NULL DEFAULT 0,
    total_memory double precision NOT NULL DEFAULT 0,
    used_memory double precision NOT NULL DEFAULT 0,
    total_storage double precision NOT NULL DEFAULT 0,
    used_storage double precision NOT NULL DEFAULT 0,
    processor_count integer NOT NULL DEFAULT 0,
    is64_bit boolean NOT NULL DEFAULT false,
    is_online boolean NOT NULL DEFAULT false,
    last_seen timestamptz NOT NULL DEFAULT now(),
    os_architecture smallint NOT NULL DEFAULT 0,
    platform smallint NOT NULL DEFAULT 0,
    current_users text[] NOT NULL DEFAULT '{}',
    mac_addresses text[] NOT NULL DEFAULT '{}',
    drives jsonb NOT NULL DEFAULT '[]',
    is_tagged boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_devices PRIMARY KEY (id),
    CONSTRAINT fk_devices_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT fk_devices_customer_id FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE SET NULL
  )`,
  `CREATE INDEX ix_devices_created_at_id ON devices (created_at, id)`,
  `CREATE INDEX ix_devices_customer_id ON devices (customer_id)`,
  `CREATE INDEX ix_devices_key_pending ON devices (created_at, id) WHERE key_pending_since IS NOT NULL`,
  `CREATE INDEX ix_devices_tenant_id_created_at_id ON devices (tenant_id, created_at, id)`,
  `CREATE INDEX ix_devices_tenant_id_is_online_is_tagged_id ON devices (tenant_id, is_online, is_tagged, id)`,
  `CREATE INDEX ix_devices_tenant_id_public_ip_v4 ON devices (tenant_id, public_ip_v4)`,
  `CREATE TABLE device_group_members (
    device_group_id uuid NOT NULL,
    device_id uuid NOT NULL,
    CONSTRAINT pk_device_group_members PRIMARY KEY (device_group_id, device_id),
    CONSTRAINT fk_device_group_members_device_group_id FOREIGN KEY (device_group_id) REFERENCES device_groups (id) ON DELETE CASCADE,
    CONSTRAINT fk_device_group_members_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_device_group_members_device_id ON device_group_members (device_id)`,
  `CREATE TABLE device_search_texts (
    device_id uuid NOT NULL,
    search_text text NOT NULL,
    CONSTRAINT pk_device_search_texts PRIMARY KEY (device_id),
    CONSTRAINT fk_device_search_texts_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE tags (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    name varchar(50) NOT NULL,
    type varchar(20) NOT NULL,
    CONSTRAINT pk_tags PRIMARY KEY (id),
    CONSTRAINT uq_tags_tenant_id_name UNIQUE (tenant_id, name),
    CONSTRAINT fk_tags_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE device_tags (
    device_id uuid NOT NULL,
    tag_id uuid NOT NULL,
    CONSTRAINT pk_device_tags PRIMARY KEY (device_id, tag_id),
    CONSTRAINT fk_device_tags_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
    CONSTRAINT fk_device_tags_tag_id FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_device_tags_tag_id_device_id ON device_tags (tag_id, device_id)`,
  `CREATE TABLE external_logins (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL,
    provider varchar(32) NOT NULL,
    issuer varchar(500) NOT NULL,
    subject varchar(255) NOT NULL,
    display_name varchar(256),
    email varchar(256),
    last_used_at timestamptz,
    CONSTRAINT pk_external_logins PRIMARY KEY (id),
    CONSTRAINT uq_external_logins_provider_issuer_subject UNIQUE (provider, issuer, subject),
    CONSTRAINT fk_external_logins_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_external_logins_user_id ON external_logins (user_id)`,
  `CREATE TABLE logon_tokens (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    device_id uuid NOT NULL,
    user_id uuid NOT NULL,
    hashed_secret bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz,
    user_correlation_id varchar(252),
    session_correlation_id varchar(128),
    allowed_desktop_session_ids integer[],
    session_expiration_minutes integer NOT NULL DEFAULT 480,
    made_with_credential_id uuid,
    maker_kind varchar(20),
    maker_id uuid,
    maker_expires_at timestamptz,
    CONSTRAINT pk_logon_tokens PRIMARY KEY (id),
    CONSTRAINT fk_logon_tokens_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT fk_logon_tokens_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
    CONSTRAINT fk_logon_tokens_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_logon_tokens_device_id ON logon_tokens (device_id)`,
  `CREATE INDEX ix_logon_tokens_expires_at ON logon_tokens (expires_at)`,
  `CREATE INDEX ix_logon_tokens_made_with_credential_id ON logon_tokens (made_with_credential_id)`,
  `CREATE INDEX ix_logon_tokens_tenant_id ON logon_tokens (tenant_id)`,
  `CREATE INDEX ix_logon_tokens_user_id ON logon_tokens (user_id)`,
  `CREATE TABLE sessions (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL,
    hashed_secret bytea NOT NULL,
    security_stamp uuid NOT NULL,
    method varchar(50) NOT NULL,
    is_persistent boolean NOT NULL,
    expires_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    proven_at timestamptz NOT NULL,
    remote_address varchar(64),
    user_agent varchar(256),
    logon_token_id uuid,
    access_expires_at timestamptz,
    hashed_lineage bytea,
    hashed_refresh bytea,
    refresh_expires_at timestamptz,
    CONSTRAINT pk_sessions PRIMARY KEY (id),
    CONSTRAINT fk_sessions_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_sessions_logon_token_id FOREIGN KEY (logon_token_id) REFERENCES logon_tokens (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_sessions_expires_at ON sessions (expires_at)`,
  `CREATE INDEX ix_sessions_last_used_at ON sessions (last_used_at)`,
  `CREATE INDEX ix_sessions_logon_token_id ON sessions (logon_token_id)`,
  `CREATE INDEX ix_sessions_user_id ON sessions (user_id)`,
  `CREATE TABLE external_passages (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    provider varchar(32) NOT NULL,
    hashed_state bytea NOT NULL,
    hashed_browser bytea NOT NULL,
    nonce varchar(100) NOT NULL,
    code_verifier varchar(128) NOT NULL,
    return_path varchar(500) NOT NULL,
    is_persistent boolean NOT NULL,
    purpose varchar(20) NOT NULL,
    session_id uuid,
    address_block varchar(64) NOT NULL,
    CONSTRAINT pk_external_passages PRIMARY KEY (id),
    CONSTRAINT uq_external_passages_hashed_state UNIQUE (hashed_state),
    CONSTRAINT fk_external_passages_session_id FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_external_passages_address_block_created_at ON external_passages (address_block, created_at)`,
  `CREATE INDEX ix_external_passages_created_at ON external_passages (created_at)`,
  `CREATE TABLE former_tokens (
    session_id uuid NOT NULL,
    hashed_secret bytea NOT NULL,
    kind varchar(10) NOT NULL,
    counts_until timestamptz NOT NULL,
    CONSTRAINT pk_former_tokens PRIMARY KEY (session_id, hashed_secret),
    CONSTRAINT fk_former_tokens_session_id FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE installer_keys (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    creator_id uuid NOT NULL,
    creator_kind varchar(50) NOT NULL,
    creator_token_id uuid,
    key_type varchar(20) NOT NULL,
    allowed_uses integer,
    expiration timestamptz,
    friendly_name varchar(200),
    hashed_secret bytea NOT NULL,
    usage_count integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_installer_keys PRIMARY KEY (id),
    CONSTRAINT fk_installer_keys_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_installer_keys_tenant_id_creator_id ON installer_keys (tenant_id, creator_id)`,
  `CREATE TABLE installer_key_usages (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    installer_key_id uuid NOT NULL,
    device_id uuid NOT NULL,
    remote_ip_address varchar(64),
    CONSTRAINT pk_installer_key_usages PRIMARY KEY (id),
    CONSTRAINT fk_installer_key_usages_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT fk_installer_key_usages_installer_key_id FOREIGN KEY (installer_key_id) REFERENCES installer_keys (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_installer_key_usages_created_at ON installer_key_usages (created_at)`,
  `CREATE INDEX ix_installer_key_usages_installer_key_id_created_at ON installer_key_usages (installer_key_id, created_at)`,
  `CREATE TABLE invites (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    invitee_email varchar(256) NOT NULL,
    user_id uuid NOT NULL,
    inviter_name varchar(256),
    hashed_activation_code bytea NOT NULL,
    CONSTRAINT pk_invites PRIMARY KEY (id),
    CONSTRAINT uq_invites_invitee_email UNIQUE (invitee_email),
    CONSTRAINT fk_invites_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT fk_invites_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_invites_hashed_activation_code ON invites (hashed_activation_code)`,
  `CREATE INDEX ix_invites_tenant_id ON invites (tenant_id)`,
  `CREATE TABLE job_runs (
    name varchar(50) NOT NULL,
    finished_at timestamptz NOT NULL,
    CONSTRAINT pk_job_runs PRIMARY KEY (name)
  )`,
  `CREATE TABLE known_browsers (
    user_id uuid NOT NULL,
    browser_hash bytea NOT NULL,
    address_block varchar(64) NOT NULL,
    last_sign_in_at timestamptz NOT NULL,
    CONSTRAINT pk_known_browsers PRIMARY KEY (user_id, browser_hash),
    CONSTRAINT fk_known_browsers_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_known_browsers_address_block_last_sign_in_at ON known_browsers (address_block, last_sign_in_at)`,
  `CREATE INDEX ix_known_browsers_browser_hash ON known_browsers (browser_hash)`,
  `CREATE TABLE nodes (
    id varchar(100) NOT NULL,
    address varchar(255),
    version varchar(40) NOT NULL DEFAULT '',
    state varchar(20) NOT NULL DEFAULT 'running',
    connections integer NOT NULL DEFAULT 0,
    downloads_digest varchar(64),
    started_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT pk_nodes PRIMARY KEY (id)
  )`,
  `CREATE TABLE passkeys (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL,
    name varchar(100) NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    device_type varchar(50) NOT NULL,
    is_backed_up boolean NOT NULL,
    last_used_at timestamptz,
    CONSTRAINT pk_passkeys PRIMARY KEY (id),
    CONSTRAINT uq_passkeys_credential_id UNIQUE (credential_id),
    CONSTRAINT fk_passkeys_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_passkeys_user_id ON passkeys (user_id)`,
  `CREATE TABLE permission_assignments (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    principal_kind varchar(50) NOT NULL,
    principal_id uuid NOT NULL,
    permission_name varchar(150) NOT NULL,
    effect varchar(20) NOT NULL,
    scope_kind varchar(50) NOT NULL,
    scope_id uuid,
    owning_tenant_id uuid,
    is_enabled boolean NOT NULL DEFAULT true,
    notes varchar(500),
    created_by_principal_type varchar(50),
    created_by_principal_id uuid,
    CONSTRAINT pk_permission_assignments PRIMARY KEY (id),
    CONSTRAINT ck_permission_assignments_owner CHECK ((scope_kind = 'Server') = (owning_tenant_id IS NULL)),
    CONSTRAINT ck_permission_assignments_server CHECK ((scope_kind = 'Server') = (scope_id IS NULL))
  )`,
  `CREATE INDEX ix_permission_assignments_owning_tenant_id ON permission_assignments (owning_tenant_id)`,
  `CREATE INDEX ix_permission_assignments_principal_kind_principal_id ON permission_assignments (principal_kind, principal_id)`,
  `CREATE INDEX ix_permission_assignments_scope_kind_scope_id ON permission_assignments (scope_kind, scope_id)`,
  `CREATE TABLE personal_access_tokens (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL,
    name varchar(256) NOT NULL,
    hashed_secret bytea NOT NULL,
    last_used timestamptz,
    permission_mode varchar(50) NOT NULL DEFAULT 'Restricted',
    expires_at timestamptz,
    revoked_at timestamptz,
    created_by_user_id uuid,
    made_with_credential_id uuid,
    CONSTRAINT pk_personal_access_tokens PRIMARY KEY (id),
    CONSTRAINT uq_personal_access_tokens_user_id_name UNIQUE (user_id, name),
    CONSTRAINT fk_personal_access_tokens_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_personal_access_tokens_made_with_credential_id ON personal_access_tokens (made_with_credential_id)`,
  `CREATE INDEX ix_personal_access_tokens_user_id_created_at ON personal_access_tokens (user_id, created_at)`,
  `CREATE TABLE recovery_codes (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    hashed_code bytea NOT NULL,
    CONSTRAINT pk_recovery_codes PRIMARY KEY (id),
    CONSTRAINT fk_recovery_codes_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_recovery_codes_user_id ON recovery_codes (user_id)`,
  // A crash of the database may empty it: windows last a minute.
  `CREATE UNLOGGED TABLE request_windows (
    key varchar(200) NOT NULL,
    count integer NOT NULL,
    ends_at timestamptz NOT NULL,
    CONSTRAINT pk_request_windows PRIMARY KEY (key)
  )`,
  `CREATE INDEX ix_request_windows_ends_at ON request_windows (ends_at)`,
  `CREATE TABLE schema_floor (
    release varchar(40) NOT NULL,
    made_by varchar(40) NOT NULL,
    CONSTRAINT pk_schema_floor PRIMARY KEY (release)
  )`,
  `CREATE TABLE security_events (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    user_name varchar(256) NOT NULL,
    kind varchar(50) NOT NULL,
    detail varchar(256),
    remote_address varchar(64),
    user_agent varchar(256),
    correlation_id varchar(100),
    CONSTRAINT pk_security_events PRIMARY KEY (id),
    CONSTRAINT fk_security_events_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_security_events_created_at ON security_events (created_at)`,
  `CREATE INDEX ix_security_events_tenant_id_created_at_id ON security_events (tenant_id, created_at, id)`,
  `CREATE INDEX ix_security_events_user_id_created_at_id ON security_events (user_id, created_at, id)`,
  `CREATE TABLE server_alerts (
    id uuid NOT NULL,
    message varchar(500) NOT NULL DEFAULT '',
    severity varchar(20) NOT NULL DEFAULT 'Information',
    is_dismissable boolean NOT NULL DEFAULT true,
    is_sticky boolean NOT NULL DEFAULT false,
    is_enabled boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_server_alerts PRIMARY KEY (id),
    CONSTRAINT ck_server_alerts_singleton CHECK (id = '00000000-0000-0000-0000-000000000001')
  )`,
  `CREATE TABLE server_secrets (
    name varchar(50) NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    value bytea NOT NULL,
    source varchar(500),
    CONSTRAINT pk_server_secrets PRIMARY KEY (name)
  )`,
  `CREATE TABLE service_accounts (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    kind varchar(50) NOT NULL,
    tenant_id uuid,
    name varchar(100) NOT NULL,
    description varchar(500),
    is_enabled boolean NOT NULL DEFAULT true,
    access_mode varchar(50) NOT NULL DEFAULT 'Restricted',
    CONSTRAINT pk_service_accounts PRIMARY KEY (id),
    CONSTRAINT ck_service_accounts_tenant CHECK ((kind = 'Server') = (tenant_id IS NULL)),
    CONSTRAINT fk_service_accounts_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE UNIQUE INDEX uq_service_accounts_server_name ON service_accounts (name) WHERE kind = 'Server'`,
  `CREATE UNIQUE INDEX uq_service_accounts_tenant_name ON service_accounts (tenant_id, name) WHERE kind = 'Tenant'`,
  `CREATE TABLE service_account_credentials (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    service_account_id uuid NOT NULL,
    name varchar(100) NOT NULL,
    hashed_secret bytea NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT pk_service_account_credentials PRIMARY KEY (id),
    CONSTRAINT fk_service_account_credentials_service_account_id FOREIGN KEY (service_account_id) REFERENCES service_accounts (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_service_account_credentials_service_account_id_created_at_id ON service_account_credentials (service_account_id, created_at, id)`,
  `CREATE TABLE source_failures (
    subject varchar(41) NOT NULL,
    source varchar(80) NOT NULL,
    access_failed_count integer NOT NULL,
    lockout_end timestamptz,
    failed_at timestamptz NOT NULL,
    CONSTRAINT pk_source_failures PRIMARY KEY (subject, source)
  )`,
  `CREATE INDEX ix_source_failures_failed_at ON source_failures (failed_at)`,
  `CREATE TABLE tenant_settings (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    name varchar(100) NOT NULL,
    value varchar(100) NOT NULL,
    CONSTRAINT pk_tenant_settings PRIMARY KEY (id),
    CONSTRAINT uq_tenant_settings_tenant_id_name UNIQUE (tenant_id, name),
    CONSTRAINT fk_tenant_settings_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE unknown_names (
    name_hash integer NOT NULL,
    access_failed_count integer NOT NULL,
    lockout_end timestamptz,
    failed_at timestamptz NOT NULL,
    CONSTRAINT pk_unknown_names PRIMARY KEY (name_hash)
  )`,
  `CREATE INDEX ix_unknown_names_failed_at ON unknown_names (failed_at)`,
  `CREATE TABLE used_passkey_challenges (
    id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT pk_used_passkey_challenges PRIMARY KEY (id)
  )`,
  `CREATE INDEX ix_used_passkey_challenges_expires_at ON used_passkey_challenges (expires_at)`,
  `CREATE TABLE user_groups (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    name varchar(100) NOT NULL,
    description varchar(500),
    CONSTRAINT pk_user_groups PRIMARY KEY (id),
    CONSTRAINT uq_user_groups_tenant_id_name UNIQUE (tenant_id, name),
    CONSTRAINT fk_user_groups_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE user_group_members (
    user_group_id uuid NOT NULL,
    user_id uuid NOT NULL,
    CONSTRAINT pk_user_group_members PRIMARY KEY (user_group_id, user_id),
    CONSTRAINT fk_user_group_members_user_group_id FOREIGN KEY (user_group_id) REFERENCES user_groups (id) ON DELETE CASCADE,
    CONSTRAINT fk_user_group_members_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_user_group_members_user_id ON user_group_members (user_id)`,
  `CREATE TABLE user_preferences (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    principal_id uuid NOT NULL,
    name varchar(100) NOT NULL,
    value varchar(100) NOT NULL,
    CONSTRAINT pk_user_preferences PRIMARY KEY (id),
    CONSTRAINT uq_user_preferences_principal_id_name UNIQUE (principal_id, name)
  )`,
  `CREATE TABLE user_presences (
    user_id uuid NOT NULL,
    node_id varchar(100) NOT NULL,
    CONSTRAINT pk_user_presences PRIMARY KEY (user_id, node_id),
    CONSTRAINT fk_user_presences_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_user_presences_node_id FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_user_presences_node_id ON user_presences (node_id)`,
  `CREATE TABLE user_storage_items (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    principal_id uuid NOT NULL,
    key varchar(256) NOT NULL,
    value varchar(2048) NOT NULL,
    CONSTRAINT pk_user_storage_items PRIMARY KEY (id),
    CONSTRAINT uq_user_storage_items_principal_id_key UNIQUE (principal_id, key)
  )`,
];

/** Parts of the schema that entities cannot describe: expression and trigram indexes, storage parameters, the only row of the alert. */
const ADDITIONS = [
  `CREATE UNIQUE INDEX uq_permission_assignments_grant ON permission_assignments
     (principal_kind, principal_id, permission_name, scope_kind, (COALESCE(scope_id, '00000000-0000-0000-0000-000000000000'::uuid)), effect)`,
  `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
  `CREATE INDEX ix_device_search_texts_trgm ON device_search_texts USING gin (search_text gin_trgm_ops)`,
  // The orders that grids begin with.
  `CREATE INDEX ix_devices_tenant_id_lower_name_created_at_id ON devices (tenant_id, lower(name), created_at, id)`,
  `CREATE INDEX ix_devices_tenant_id_is_online_lower_name_created_at_id
     ON devices (tenant_id, is_online DESC NULLS LAST, lower(name), created_at, id)`,
  `CREATE INDEX ix_devices_node_id_online ON devices (node_id) WHERE is_online`,
  // Heartbeats rewrite rows in place as long as their page has room.
  `ALTER TABLE devices SET (fillfactor = 70)`,
  `INSERT INTO server_alerts (id) VALUES ('00000000-0000-0000-0000-000000000001')`,
];

/** Functions and triggers: derived columns, cascades, ends of tokens, deleted devices, notifications. */
const TRIGGERS = [
  `CREATE FUNCTION searchable(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT translate(lower($1), E'-.:_/ \\n()@,', 'QXJZKWYVHGP')
   $$`,
  `CREATE FUNCTION store_device_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO device_search_texts (device_id, search_text)
     VALUES (NEW.id, searchable(concat_ws(E'\\n', NEW.name, NEW.alias, NEW.dns_host_name, NEW.os_description, NEW.agent_version,
       NEW.public_ip_v4, NEW.public_ip_v6, NEW.local_ip_v4, NEW.local_ip_v6,
       array_to_string(NEW.current_users, E'\\n'), array_to_string(NEW.mac_addresses, E'\\n'), NEW.id::text)))
     ON CONFLICT (device_id) DO UPDATE SET search_text = EXCLUDED.search_text;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_search_text_on_insert AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION store_device_search_text()`,
  `CREATE TRIGGER device_search_text_on_update AFTER UPDATE ON devices FOR EACH ROW
     WHEN ((NEW.name, NEW.alias, NEW.dns_host_name, NEW.os_description, NEW.agent_version, NEW.public_ip_v4, NEW.public_ip_v6, NEW.local_ip_v4, NEW.local_ip_v6, NEW.current_users, NEW.mac_addresses) IS DISTINCT FROM (OLD.name, OLD.alias, OLD.dns_host_name, OLD.os_description, OLD.agent_version, OLD.public_ip_v4, OLD.public_ip_v6, OLD.local_ip_v4, OLD.local_ip_v6, OLD.current_users, OLD.mac_addresses)) EXECUTE FUNCTION store_device_search_text()`,
  `CREATE FUNCTION set_device_tagged() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN
       UPDATE devices SET is_tagged = TRUE WHERE id = NEW.device_id AND NOT is_tagged;
     ELSE
       UPDATE devices SET is_tagged = FALSE
       WHERE id = OLD.device_id AND is_tagged AND NOT EXISTS (SELECT 1 FROM device_tags WHERE device_id = OLD.device_id);
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_tagged AFTER INSERT OR DELETE ON device_tags FOR EACH ROW EXECUTE FUNCTION set_device_tagged()`,
  `CREATE FUNCTION delete_assignments_of_principal() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE principal_kind = TG_ARGV[0] AND principal_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER delete_principal_assignments AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_principal('User')`,
  `CREATE TRIGGER delete_principal_assignments AFTER DELETE ON user_groups FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_principal('UserGroup')`,
  `CREATE TRIGGER delete_principal_assignments AFTER DELETE ON service_accounts FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_principal('ServiceAccount')`,
  `CREATE TRIGGER delete_principal_assignments AFTER DELETE ON personal_access_tokens FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_principal('PersonalAccessToken')`,
  `CREATE FUNCTION delete_assignments_of_scope() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE scope_kind = TG_ARGV[0] AND scope_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER delete_scope_assignments AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_scope('CustomerTenant')`,
  `CREATE TRIGGER delete_scope_assignments AFTER DELETE ON device_groups FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_scope('DeviceGroup')`,
  `CREATE TRIGGER delete_scope_assignments AFTER DELETE ON devices FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_scope('Device')`,
  `CREATE TRIGGER delete_scope_assignments AFTER DELETE ON user_groups FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_scope('UserGroup')`,
  `CREATE FUNCTION delete_assignments_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM permission_assignments WHERE owning_tenant_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER delete_tenant_assignments AFTER DELETE ON tenants FOR EACH ROW EXECUTE FUNCTION delete_assignments_of_tenant()`,
  `CREATE FUNCTION delete_items_of_principal() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM user_preferences WHERE principal_id = OLD.id;
     DELETE FROM user_storage_items WHERE principal_id = OLD.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER delete_principal_items AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION delete_items_of_principal()`,
  `CREATE TRIGGER delete_principal_items AFTER DELETE ON service_accounts FOR EACH ROW EXECUTE FUNCTION delete_items_of_principal()`,
  `CREATE TRIGGER delete_principal_items AFTER DELETE ON sessions FOR EACH ROW
   WHEN (OLD.logon_token_id IS NOT NULL) EXECUTE FUNCTION delete_items_of_principal()`,
  `CREATE FUNCTION end_made_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     ended uuid[];
   BEGIN
     WITH RECURSIVE made(id) AS (
       SELECT OLD.id
       UNION
       SELECT token.id FROM made CROSS JOIN LATERAL (
         SELECT t.id FROM personal_access_tokens t WHERE t.made_with_credential_id = made.id
         UNION ALL
         SELECT t.id FROM logon_tokens t WHERE t.made_with_credential_id = made.id) token
     )
     SELECT array_agg(id) INTO ended FROM made WHERE id <> OLD.id;
     IF ended IS NULL THEN RETURN NULL; END IF;
     DELETE FROM personal_access_tokens WHERE id = ANY(ended);
     DELETE FROM logon_tokens WHERE id = ANY(ended);
     DELETE FROM permission_assignments WHERE principal_kind = 'LogonToken' AND principal_id = ANY(ended);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER end_made_tokens AFTER DELETE ON service_account_credentials FOR EACH ROW EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens AFTER DELETE ON personal_access_tokens FOR EACH ROW EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens AFTER DELETE ON logon_tokens FOR EACH ROW EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens_on_revocation AFTER UPDATE OF revoked_at ON service_account_credentials FOR EACH ROW
     WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens_on_revocation AFTER UPDATE OF revoked_at ON personal_access_tokens FOR EACH ROW
     WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_made_tokens()`,
  `CREATE FUNCTION note_deleted_devices() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO deleted_devices (id) SELECT id FROM deleted ON CONFLICT (id) DO UPDATE SET deleted_at = EXCLUDED.deleted_at;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER note_deleted_devices AFTER DELETE ON devices REFERENCING OLD TABLE AS deleted
     FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_devices()`,
  `CREATE FUNCTION notify_assignment_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('invalidation', OLD.principal_kind || ':' || OLD.principal_id); END IF;
     IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('invalidation', NEW.principal_kind || ':' || NEW.principal_id); END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER invalidate_rules AFTER INSERT OR UPDATE OR DELETE ON permission_assignments
     FOR EACH ROW EXECUTE FUNCTION notify_assignment_invalidation()`,
  `CREATE FUNCTION notify_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('invalidation', TG_ARGV[0] || ':' || (to_jsonb(OLD) ->> TG_ARGV[1])); END IF;
     IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('invalidation', TG_ARGV[0] || ':' || (to_jsonb(NEW) ->> TG_ARGV[1])); END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER invalidate_rules AFTER INSERT OR UPDATE OR DELETE ON user_group_members
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('User', 'user_id')`,
  `CREATE TRIGGER invalidate_device AFTER INSERT OR DELETE ON device_group_members
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Device', 'device_id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, expires_at, revoked_at ON service_account_credentials
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Credential', 'id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, expires_at, revoked_at, permission_mode
     ON personal_access_tokens FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Credential', 'id')`,
  `CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, security_stamp, expires_at, proven_at ON sessions
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Credential', 'id')`,
  `CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF name, is_enabled ON service_accounts
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('CredentialOwner', 'id')`,
  `CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF user_name, tenant_id, lockout_end, security_stamp, require_password_change
     ON users
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('CredentialOwner', 'id')`,
  `CREATE TRIGGER invalidate_tenant AFTER DELETE OR UPDATE OF deleted_at ON tenants
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Tenant', 'id')`,
  `CREATE FUNCTION notify_device_invalidation() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_notify('invalidation', 'Device:' || OLD.id);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER invalidate_device AFTER DELETE OR UPDATE OF tenant_id, customer_id, key_pending_since, waiting_public_key ON devices
     FOR EACH ROW EXECUTE FUNCTION notify_device_invalidation()`,
  `CREATE TRIGGER invalidate_device_key AFTER UPDATE OF public_key ON devices FOR EACH ROW
     WHEN (OLD.public_key <> NEW.public_key) EXECUTE FUNCTION notify_device_invalidation()`,
];

const STATEMENTS = [...TABLES, ...ADDITIONS, ...TRIGGERS];

/** The schema of the first release. */
export class FirstSchema1763650000000 implements MigrationInterface {
  readonly name = 'FirstSchema1763650000000';

  async up(runner: QueryRunner): Promise<void> {
    // One by one, the statements take up to twice as long.
    await runner.query(STATEMENTS.join(';\n'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${created('TABLE').join(', ')} CASCADE`);
    for (const name of created('FUNCTION')) await runner.query(`DROP FUNCTION ${name}`);
  }
}

function created(kind: 'TABLE' | 'FUNCTION'): string[] {
  const pattern = new RegExp(`^CREATE (?:UNLOGGED )?${kind} (\\w+)`);
  return STATEMENTS.flatMap((statement) => pattern.exec(statement)?.[1] ?? []);
}
