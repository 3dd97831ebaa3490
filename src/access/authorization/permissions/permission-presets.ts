import { Permission, PermissionScopeKind, type PermissionDefinition } from './permission.js';

/** A named set of permissions that can be granted in one step. */
export interface PermissionPreset {
  readonly name: string;
  readonly permissions: readonly PermissionDefinition[];
}

/** Permissions that every person has from the start: to manage their own tokens. */
export const SELF_SERVICE: PermissionPreset = {
  name: 'Self Service',
  permissions: [Permission.PersonalAccessTokenSelfRead, Permission.PersonalAccessTokenSelfWrite],
};

/** Every preset. Requests name presets by their display name. */
export const permissionPresets: readonly PermissionPreset[] = [
  {
    name: 'Server Administrator',
    permissions: [
      Permission.ServerAuthorizationLogsRead,
      Permission.ServerPermissionsRead,
      Permission.ServerPermissionsWrite,
      Permission.ServerSettingsWrite,
      Permission.ServerTenantsDelete,
      Permission.ServerTenantsRead,
      Permission.ServerTenantsWrite,
      Permission.ServerTelemetryRead,
      Permission.ServerServiceAccountsRead,
      Permission.ServerServiceAccountsWrite,
      Permission.ServerServiceAccountsRotateCredentials,
      Permission.TenantPermissionsRead,
      Permission.TenantAuthorizationLogsRead,
      Permission.TenantEventsRead,
    ],
  },
  {
    name: 'Tenant Administrator',
    permissions: [
      Permission.TenantRead,
      Permission.TenantSettingsRead,
      Permission.TenantSettingsWrite,
      Permission.TenantUsersRead,
      Permission.TenantUsersWrite,
      Permission.TenantUsersDelete,
      Permission.TenantUserGroupsRead,
      Permission.TenantUserGroupsWrite,
      Permission.UserGroupAssignUsers,
      Permission.TenantDeviceGroupsRead,
      Permission.TenantDeviceGroupsWrite,
      Permission.DeviceGroupAssignDevices,
      Permission.TenantCustomersRead,
      Permission.TenantCustomersWrite,
      Permission.TenantTagsWrite,
      Permission.TenantPermissionsRead,
      Permission.TenantAuthorizationLogsRead,
      Permission.TenantEventsRead,
      Permission.TenantPermissionsWrite,
      Permission.TenantPermissionsDeny,
      Permission.PersonalAccessTokenSelfRead,
      Permission.PersonalAccessTokenSelfWrite,
      Permission.PersonalAccessTokenOthersRead,
      Permission.PersonalAccessTokenOthersWrite,
      Permission.ServiceAccountRead,
      Permission.ServiceAccountWrite,
      Permission.ServiceAccountRotateCredentials,
      Permission.InstallerKeyRead,
      Permission.InstallerKeyWrite,
      Permission.InstallerKeyManageAll,
      Permission.AgentInstall,
    ],
  },
  {
    name: 'Device Superuser',
    permissions: [
      Permission.DeviceRead,
      Permission.DeviceDelete,
      Permission.DeviceAliasWrite,
      Permission.DeviceTagsRead,
      Permission.DeviceTagsWrite,
      Permission.DeviceDesktopPreviewRead,
      Permission.DeviceOverviewRead,
      Permission.DeviceLogsRead,
      Permission.DeviceRemoteControlConnect,
      Permission.DeviceRemoteControlInteract,
      Permission.DeviceRemoteControlBlockInput,
      Permission.DeviceRemoteControlElevatedDesktop,
      Permission.DeviceCtrlAltDelSend,
      Permission.DeviceClipboardRead,
      Permission.DeviceClipboardWrite,
      Permission.DeviceChatSend,
      Permission.DeviceVncRelayConnect,
      Permission.DeviceFileSystemRead,
      Permission.DeviceFileSystemWrite,
      Permission.DeviceFileSystemDelete,
      Permission.DeviceFileSystemTransferUpload,
      Permission.DeviceFileSystemTransferDownload,
      Permission.DeviceTerminalUse,
      Permission.DeviceLogonTokenCreate,
      Permission.DeviceWakeSend,
      Permission.DevicePowerManage,
      Permission.DeviceAgentUpdate,
    ],
  },
  {
    name: 'Agent Installer',
    permissions: [Permission.AgentInstall, Permission.InstallerKeyRead, Permission.InstallerKeyWrite],
  },
  {
    name: 'Installer Key Manager',
    permissions: [Permission.InstallerKeyRead, Permission.InstallerKeyWrite, Permission.AgentInstall],
  },
  {
    name: 'Service Account Manager',
    permissions: [Permission.ServiceAccountRead, Permission.ServiceAccountWrite, Permission.ServiceAccountRotateCredentials],
  },
  SELF_SERVICE,
];

/** Permissions that manage everything in a tenant except its devices. */
export const TENANT_ADMINISTRATOR: PermissionPreset = presetNamed('Tenant Administrator');

/** Permissions of the first user of a tenant in it. */
export const FIRST_USER_OF_TENANT: readonly PermissionPreset[] = [
  'Tenant Administrator',
  'Device Superuser',
  'Agent Installer',
  'Installer Key Manager',
].map(presetNamed);

/** Further permissions of the first user of the server. */
export const FIRST_USER_OF_SERVER: readonly PermissionPreset[] = [presetNamed('Server Administrator'), ...FIRST_USER_OF_TENANT];

/** The preset with this name, in any case; otherwise undefined. */
export function findPreset(name: string): PermissionPreset | undefined {
  const wanted = name.trim().toLowerCase();
  return permissionPresets.find((preset) => preset.name.toLowerCase() === wanted);
}

function presetNamed(name: string): PermissionPreset {
  const preset = findPreset(name);
  if (preset === undefined) throw new Error(noSuchPreset(name));
  return preset;
}

/** A message for callers who name an unknown preset. It lists the existing ones. */
export function noSuchPreset(name: string): string {
  const known = permissionPresets.map((preset) => preset.name).sort();
  return `There is no preset ${JSON.stringify(name)}. The presets are ${known.join(', ')}.`;
}

/** The scope at which a preset grants a permission: the broadest scope inside a tenant, or the server if there is none. */
export function presetScopeOf(permission: PermissionDefinition): PermissionScopeKind {
  return permission.scopeKinds.includes(PermissionScopeKind.Tenant) ? PermissionScopeKind.Tenant : PermissionScopeKind.Server;
}
