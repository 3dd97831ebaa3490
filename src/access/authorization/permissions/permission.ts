import { DevicePermission } from '#libs/contracts';

/** Effect of an assignment: it grants (Allow) or refuses (Deny). A Deny always wins. */
export enum PermissionEffect {
  Allow = 'Allow',
  Deny = 'Deny',
}

/** Kinds of scope of an assignment. `Unknown` stands for an omitted value; no permission allows it. */
export enum PermissionScopeKind {
  Unknown = 'Unknown',
  Server = 'Server',
  Tenant = 'Tenant',
  CustomerTenant = 'CustomerTenant',
  DeviceGroup = 'DeviceGroup',
  Device = 'Device',
  UserGroup = 'UserGroup',
}

/** The kind of principal that holds an assignment. Server and tenant service accounts are both `ServiceAccount`. */
export enum PermissionPrincipalKind {
  User = 'User',
  UserGroup = 'UserGroup',
  ServiceAccount = 'ServiceAccount',
  PersonalAccessToken = 'PersonalAccessToken',
  LogonToken = 'LogonToken',
}

/** A permission of the catalogue. Permissions do not imply each other. */
export interface PermissionDefinition {
  readonly name: string;
  readonly displayName: string;
  readonly category: string;
  readonly description: string;
  /** The scope kinds at which it may be assigned, narrowest first. */
  readonly scopeKinds: readonly PermissionScopeKind[];
  /** True if principals may remove it from themselves. */
  readonly selfRemovable: boolean;
}

const SERVER_ONLY = [PermissionScopeKind.Server];
const TENANT_ONLY = [PermissionScopeKind.Tenant];
const DEVICE_SCOPES = [
  PermissionScopeKind.Device,
  PermissionScopeKind.DeviceGroup,
  PermissionScopeKind.CustomerTenant,
  PermissionScopeKind.Tenant,
  PermissionScopeKind.Server,
];
const DEVICE_GROUP_SCOPES = [PermissionScopeKind.DeviceGroup, PermissionScopeKind.Tenant];
const USER_GROUP_SCOPES = [PermissionScopeKind.UserGroup, PermissionScopeKind.Tenant];
const KEPT = false;

/** Every permission of the service. Code names permissions through this object, never by a string literal. */
export const Permission = {
  ServerAuthorizationLogsRead: define(
    'server.authorization-logs.read',
    'Read Server Authorization Logs',
    'Servers',
    'Read the change log of every tenant and of the server itself.',
    SERVER_ONLY,
  ),
  ServerPermissionsRead: define(
    'server.permissions.read',
    'Read Server Permission Assignments',
    'Servers',
    'See permission assignments that are scoped to the server.',
    SERVER_ONLY,
  ),
  ServerPermissionsWrite: define(
    'server.permissions.write',
    'Manage Server Permission Assignments',
    'Servers',
    'Grant and revoke permissions at server scope and to server service accounts.',
    SERVER_ONLY,
    KEPT,
  ),
  ServerSettingsWrite: define(
    'server.settings.write',
    'Manage Server Settings',
    'Servers',
    'Change the server alert and send test mail.',
    SERVER_ONLY,
  ),
  ServerTenantsDelete: define(
    'server.tenants.delete',
    'Delete Server Tenants',
    'Servers',
    'Delete tenants with everything they own.',
    SERVER_ONLY,
  ),
  ServerTenantsRead: define('server.tenants.read', 'Read Server Tenants', 'Servers', 'List tenants and read their names.', SERVER_ONLY),
  ServerTenantsWrite: define('server.tenants.write', 'Manage Server Tenants', 'Servers', 'Create and rename tenants.', SERVER_ONLY),
  ServerTelemetryRead: define(
    'server.telemetry.read',
    'Read Server Telemetry',
    'Servers',
    'Read server statistics and the address of the telemetry dashboard.',
    SERVER_ONLY,
  ),
  ServerServiceAccountsRead: define(
    'server.service-accounts.read',
    'Read Server Service Accounts',
    'Servers',
    "List server service accounts and their credentials' metadata.",
    SERVER_ONLY,
  ),
  ServerServiceAccountsWrite: define(
    'server.service-accounts.write',
    'Manage Server Service Accounts',
    'Servers',
    'Create, change and delete server service accounts.',
    SERVER_ONLY,
  ),
  ServerServiceAccountsRotateCredentials: define(
    'server.service-accounts.rotate-credentials',
    'Rotate Server Service Account Credentials',
    'Servers',
    'Create, revoke and purge credentials of server service accounts.',
    SERVER_ONLY,
  ),
  TenantRead: define('tenant.read', 'Read Tenant', 'Tenants', 'Read the tenant.', TENANT_ONLY),
  TenantSettingsRead: define('tenant.settings.read', 'Read Tenant Settings', 'Tenants', "Read the tenant's settings.", TENANT_ONLY),
  TenantSettingsWrite: define('tenant.settings.write', 'Manage Tenant Settings', 'Tenants', "Change the tenant's settings.", TENANT_ONLY),
  TenantUsersRead: define('tenant.users.read', 'Read Tenant Users', 'Tenants', 'List users and invites of the tenant.', TENANT_ONLY),
  TenantUsersWrite: define(
    'tenant.users.write',
    'Manage Tenant Users',
    'Tenants',
    'Create and invite users and reset their passwords.',
    TENANT_ONLY,
  ),
  TenantUsersDelete: define('tenant.users.delete', 'Delete Tenant Users', 'Tenants', 'Delete users of the tenant.', TENANT_ONLY),
  TenantUserGroupsRead: define(
    'tenant.user-groups.read',
    'Read User Groups',
    'Tenants',
    'List user groups and their members.',
    TENANT_ONLY,
  ),
  TenantUserGroupsWrite: define(
    'tenant.user-groups.write',
    'Manage User Groups',
    'Tenants',
    'Create, change and delete user groups.',
    TENANT_ONLY,
  ),
  TenantDeviceGroupsRead: define(
    'tenant.device-groups.read',
    'Read Device Groups',
    'Tenants',
    'List device groups and their members.',
    TENANT_ONLY,
  ),
  TenantDeviceGroupsWrite: define(
    'tenant.device-groups.write',
    'Manage Device Groups',
    'Tenants',
    'Create, change and delete device groups.',
    TENANT_ONLY,
  ),
  TenantCustomersRead: define('tenant.customers.read', 'Read Customers', 'Tenants', 'List customers of the tenant.', TENANT_ONLY),
  TenantCustomersWrite: define(
    'tenant.customers.write',
    'Manage Customers',
    'Tenants',
    'Create, change and delete customers and assign devices to them.',
    TENANT_ONLY,
  ),
  TenantTagsWrite: define('tenant.tags.write', 'Manage Tags', 'Tenants', 'Create, rename and delete tags.', TENANT_ONLY),
  TenantPermissionsRead: define(
    'tenant.permissions.read',
    'Read Permissions',
    'Tenants',
    'Read permission assignments, the catalogue, presets and effective permissions.',
    TENANT_ONLY,
  ),
  TenantAuthorizationLogsRead: define(
    'tenant.authorization-logs.read',
    'Read Authorization Logs',
    'Tenants',
    'Read the change log of the tenant.',
    TENANT_ONLY,
  ),
  TenantEventsRead: define(
    'tenant.events.read',
    'Read Events',
    'Tenants',
    "Read the tenant's events; those of a device need the right to read the device, too.",
    TENANT_ONLY,
  ),
  TenantPermissionsWrite: define(
    'tenant.permissions.write',
    'Manage Permissions',
    'Tenants',
    'Grant and revoke permissions inside the tenant.',
    TENANT_ONLY,
    KEPT,
  ),
  TenantPermissionsDeny: define(
    'tenant.permissions.deny',
    'Manage Deny Permissions',
    'Tenants',
    'Create, change and delete assignments that deny.',
    TENANT_ONLY,
    KEPT,
  ),
  DeviceRead: define(DevicePermission.Read, 'Read Device', 'Devices', 'See a device in lists and read its state.', DEVICE_SCOPES),
  DeviceDelete: define(DevicePermission.Delete, 'Delete Device', 'Devices', 'Delete a device and uninstall its agent.', DEVICE_SCOPES),
  DeviceAliasWrite: define(DevicePermission.AliasWrite, 'Update Device Alias', 'Devices', 'Give a device an alias.', DEVICE_SCOPES),
  DeviceTagsRead: define(DevicePermission.TagsRead, 'Read Device Tags', 'Devices', 'Read the tags of a device.', DEVICE_SCOPES),
  DeviceTagsWrite: define(
    DevicePermission.TagsWrite,
    'Manage Device Tags',
    'Devices',
    'Add tags to and remove tags from a device.',
    DEVICE_SCOPES,
  ),
  DeviceDesktopPreviewRead: define(
    DevicePermission.DesktopPreviewRead,
    'View Desktop Preview',
    'Devices',
    'Take a still picture of a desktop.',
    DEVICE_SCOPES,
  ),
  DeviceOverviewRead: define(
    DevicePermission.OverviewRead,
    'Read Device Overview',
    'Devices',
    'Open the overview page of a device.',
    DEVICE_SCOPES,
  ),
  DeviceLogsRead: define(DevicePermission.LogsRead, 'Read Device Logs', 'Devices', "Read the agent's log files.", DEVICE_SCOPES),
  DeviceRemoteControlConnect: define(
    DevicePermission.RemoteControlConnect,
    'Connect Remote Control',
    'Devices',
    'Start a remote control session.',
    DEVICE_SCOPES,
  ),
  DeviceRemoteControlInteract: define(
    DevicePermission.RemoteControlInteract,
    'Interact Remote Control',
    'Devices',
    'Send pointer and keyboard input in a remote control session.',
    DEVICE_SCOPES,
  ),
  DeviceRemoteControlBlockInput: define(
    DevicePermission.RemoteControlBlockInput,
    'Block Remote Input',
    'Devices',
    'Block local input during a remote control session.',
    DEVICE_SCOPES,
  ),
  DeviceRemoteControlElevatedDesktop: define(
    DevicePermission.RemoteControlElevatedDesktop,
    'Elevated Desktop Access',
    'Devices',
    'See elevated and sign-in desktops in a remote control session.',
    DEVICE_SCOPES,
  ),
  DeviceCtrlAltDelSend: define(
    DevicePermission.CtrlAltDelSend,
    'Send Ctrl+Alt+Del',
    'Devices',
    'Send Ctrl+Alt+Del to a device.',
    DEVICE_SCOPES,
  ),
  DeviceClipboardRead: define(
    DevicePermission.ClipboardRead,
    'Read Device Clipboard',
    'Devices',
    'Receive the clipboard of a device.',
    DEVICE_SCOPES,
  ),
  DeviceClipboardWrite: define(
    DevicePermission.ClipboardWrite,
    'Write Device Clipboard',
    'Devices',
    'Send a clipboard to a device.',
    DEVICE_SCOPES,
  ),
  DeviceChatSend: define(DevicePermission.ChatSend, 'Chat with Device', 'Devices', 'Chat with the person at a device.', DEVICE_SCOPES),
  DeviceVncRelayConnect: define(
    DevicePermission.VncRelayConnect,
    'Connect VNC Relay',
    'Devices',
    'Reach a VNC server on a device through the relay.',
    DEVICE_SCOPES,
  ),
  DeviceFileSystemRead: define(
    DevicePermission.FileSystemRead,
    'Read Device File System',
    'Devices',
    'Browse the file system of a device.',
    DEVICE_SCOPES,
  ),
  DeviceFileSystemWrite: define(
    DevicePermission.FileSystemWrite,
    'Write Device File System',
    'Devices',
    'Create directories on a device.',
    DEVICE_SCOPES,
  ),
  DeviceFileSystemDelete: define(
    DevicePermission.FileSystemDelete,
    'Delete Device Files',
    'Devices',
    'Delete files and directories on a device.',
    DEVICE_SCOPES,
  ),
  DeviceFileSystemTransferUpload: define(
    DevicePermission.FileSystemTransferUpload,
    'Upload Files to Device',
    'Devices',
    'Upload files to a device.',
    DEVICE_SCOPES,
  ),
  DeviceFileSystemTransferDownload: define(
    DevicePermission.FileSystemTransferDownload,
    'Download Files from Device',
    'Devices',
    'Download files from a device.',
    DEVICE_SCOPES,
  ),
  DeviceTerminalUse: define(DevicePermission.TerminalUse, 'Use Remote Terminal', 'Devices', 'Use a terminal on a device.', DEVICE_SCOPES),
  DeviceLogonTokenCreate: define(
    DevicePermission.LogonTokenCreate,
    'Create Logon Token',
    'Devices',
    "Create logon tokens that open a device's access page.",
    DEVICE_SCOPES,
  ),
  DeviceWakeSend: define(DevicePermission.WakeSend, 'Send Wake Command', 'Devices', 'Wake a device over the network.', DEVICE_SCOPES),
  DevicePowerManage: define(
    DevicePermission.PowerManage,
    'Manage Device Power',
    'Devices',
    'Restart or shut down a device.',
    DEVICE_SCOPES,
  ),
  DeviceAgentUpdate: define(
    DevicePermission.AgentUpdate,
    'Update Device Agent',
    'Devices',
    'Trigger an update of the agent.',
    DEVICE_SCOPES,
  ),
  PersonalAccessTokenSelfRead: define(
    'personal-access-token.self.read',
    'Read Own PATs',
    'Personal Access Tokens',
    "List one's own personal access tokens.",
    TENANT_ONLY,
  ),
  PersonalAccessTokenSelfWrite: define(
    'personal-access-token.self.write',
    'Manage Own PATs',
    'Personal Access Tokens',
    "Create, rename and delete one's own personal access tokens.",
    TENANT_ONLY,
  ),
  PersonalAccessTokenOthersRead: define(
    'personal-access-token.others.read',
    "Read Others' PATs",
    'Personal Access Tokens',
    'List personal access tokens of other users.',
    TENANT_ONLY,
  ),
  PersonalAccessTokenOthersWrite: define(
    'personal-access-token.others.write',
    "Manage Others' PATs",
    'Personal Access Tokens',
    'Create, rename and delete personal access tokens of other users.',
    TENANT_ONLY,
  ),
  ServiceAccountRead: define(
    'service-account.read',
    'Read Service Accounts',
    'Service Accounts',
    "List the tenant's service accounts and their credentials' metadata.",
    TENANT_ONLY,
  ),
  ServiceAccountWrite: define(
    'service-account.write',
    'Manage Service Accounts',
    'Service Accounts',
    "Create, change and delete the tenant's service accounts.",
    TENANT_ONLY,
  ),
  ServiceAccountRotateCredentials: define(
    'service-account.rotate-credentials',
    'Rotate Service Account Credentials',
    'Service Accounts',
    "Create, revoke and purge credentials of the tenant's service accounts.",
    TENANT_ONLY,
  ),
  InstallerKeyRead: define(
    'installer-key.read',
    'Read Installer Keys',
    'Installer Keys',
    "List one's own installer keys and their usages.",
    TENANT_ONLY,
  ),
  InstallerKeyWrite: define(
    'installer-key.write',
    'Manage Installer Keys',
    'Installer Keys',
    "Create, rename and delete one's own installer keys.",
    TENANT_ONLY,
  ),
  InstallerKeyManageAll: define(
    'installer-key.manage-all',
    'Manage All Installer Keys',
    'Installer Keys',
    'Lets the two other installer key permissions reach the keys of all creators.',
    TENANT_ONLY,
  ),
  AgentInstall: define('agent.install', 'Install Agent', 'Agents', 'Read deployment options and install agents.', TENANT_ONLY),
  DeviceGroupAssignDevices: define(
    'device-group.assign-devices',
    'Assign Devices to Group',
    'Device Groups',
    'Add devices to and remove devices from a device group.',
    DEVICE_GROUP_SCOPES,
  ),
  UserGroupAssignUsers: define(
    'user-group.assign-users',
    'Assign Users to Group',
    'User Groups',
    'Add users to and remove users from a user group.',
    USER_GROUP_SCOPES,
  ),
} as const satisfies Record<string, PermissionDefinition> & Record<`Device${keyof typeof DevicePermission}`, PermissionDefinition>;

const BY_NAME: ReadonlyMap<string, PermissionDefinition> = new Map(
  Object.values(Permission).map((permission) => [permission.name, permission]),
);

/** The permission with exactly this name; undefined when the catalogue has none. */
export function findPermission(name: string): PermissionDefinition | undefined {
  return BY_NAME.get(name);
}

/** The device permission with this name. The type of the catalogue guarantees that each exists. */
export function devicePermission(name: DevicePermission): PermissionDefinition {
  const permission = findPermission(name);
  if (permission === undefined) throw new Error(`The catalogue has no permission ${name}.`);
  return permission;
}

/** The catalogue, by name. */
export const permissionCatalog: readonly PermissionDefinition[] = [...BY_NAME.values()].sort((a, b) => (a.name < b.name ? -1 : 1));

function define(
  name: string,
  displayName: string,
  category: string,
  description: string,
  scopeKinds: readonly PermissionScopeKind[],
  selfRemovable = true,
): PermissionDefinition {
  return { name, displayName, category, description, scopeKinds, selfRemovable };
}
