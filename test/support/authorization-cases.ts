import type { Principal } from '../../src/access/authentication/principal.js';
import { Permission, PermissionEffect, PermissionScopeKind, type PermissionDefinition } from '../../src/access/authorization/permission.js';
import type { DeviceResource, Resource, Rule } from '../../src/access/authorization/rules.js';

/*
 * One table of cases for everything that decides: the evaluator, the SQL condition of device lists, and the service
 * that loads the assignments. Each case lists the devices on which its caller holds `device.read`.
 */

const guid = (n: number): string => `0c5e0000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Two tenants; the callers belong to the first. */
export const tenants = { home: guid(1), other: guid(2) };

/** Containers of devices, with their tenants. */
export const containers = {
  customer: { kind: PermissionScopeKind.CustomerTenant, id: guid(11), tenantId: tenants.home },
  emptyCustomer: { kind: PermissionScopeKind.CustomerTenant, id: guid(12), tenantId: tenants.home },
  foreignCustomer: { kind: PermissionScopeKind.CustomerTenant, id: guid(13), tenantId: tenants.other },
  group: { kind: PermissionScopeKind.DeviceGroup, id: guid(21), tenantId: tenants.home },
  secondGroup: { kind: PermissionScopeKind.DeviceGroup, id: guid(22), tenantId: tenants.home },
  foreignGroup: { kind: PermissionScopeKind.DeviceGroup, id: guid(23), tenantId: tenants.other },
  userGroup: { kind: PermissionScopeKind.UserGroup, id: guid(31), tenantId: tenants.home },
} as const;

const device = (n: number, tenantId: string, customerId: string | null, ...deviceGroupIds: string[]): DeviceResource => ({
  kind: 'Device',
  id: guid(100 + n),
  tenantId,
  customerId,
  deviceGroupIds,
});

/** Every device of the cases. */
export const devices = {
  plain: device(1, tenants.home, null),
  inCustomer: device(2, tenants.home, containers.customer.id),
  inGroup: device(3, tenants.home, null, containers.group.id),
  inBoth: device(4, tenants.home, containers.customer.id, containers.group.id, containers.secondGroup.id),
  foreign: device(5, tenants.other, containers.foreignCustomer.id, containers.foreignGroup.id),
} as const;

export type DeviceName = keyof typeof devices;

const HOME: readonly DeviceName[] = ['plain', 'inCustomer', 'inGroup', 'inBoth'];
export const EVERYWHERE: readonly DeviceName[] = [...HOME, 'foreign'];
const NOWHERE: readonly DeviceName[] = [];

/** The device of the logon token in a case. */
export const LOGON_DEVICE = 'inGroup' satisfies DeviceName;

/** The kinds of callers. */
export type CaseCaller =
  | 'user'
  | 'restricted token'
  | 'inheriting token'
  | 'logon token'
  | 'tenant account'
  | 'restricted server account'
  | 'unrestricted server account';

/** The holder of an assignment: the caller, its user group, a group that it is not a member of, or its token. */
export type RowHolder = 'self' | 'group' | 'strange group' | 'token';

type ScopeName = 'server' | keyof typeof tenants | keyof typeof containers | DeviceName;

/** A stored assignment of a case. */
export interface CaseRow {
  readonly holder: RowHolder;
  readonly permissionName: string;
  readonly effect: PermissionEffect;
  readonly scopeKind: PermissionScopeKind;
  readonly scopeId: string | null;
  readonly owningTenantId: string | null;
  readonly isEnabled: boolean;
}

export interface AuthorizationCase {
  readonly name: string;
  readonly caller: CaseCaller;
  readonly rows: readonly CaseRow[];
  /** The devices on which the caller holds `device.read`. */
  readonly allowed: readonly DeviceName[];
  /** Further decisions, which device lists cannot show. */
  readonly decisions?: readonly (readonly [PermissionDefinition, Resource, boolean])[];
}

type RowChanges = Partial<Pick<CaseRow, 'holder' | 'isEnabled' | 'owningTenantId'>> & { readonly permission?: PermissionDefinition };

const row =
  (effect: PermissionEffect) =>
  (scope: ScopeName, { permission = Permission.DeviceRead, ...changes }: RowChanges = {}): CaseRow => ({
    holder: 'self',
    permissionName: permission.name,
    effect,
    ...scopeOf(scope),
    isEnabled: true,
    ...changes,
  });

const allow = row(PermissionEffect.Allow);
const deny = row(PermissionEffect.Deny);

const onGroup = { holder: 'group' } as const;
const onToken = { holder: 'token' } as const;
const disabled = { isEnabled: false } as const;

const server: Resource = { kind: 'Server' };
const home: Resource = { kind: 'Tenant', tenantId: tenants.home };
const other: Resource = { kind: 'Tenant', tenantId: tenants.other };
const resourceOf = ({ kind, id, tenantId }: (typeof containers)[keyof typeof containers]): Resource => ({ kind, id, tenantId });

/** Returns the reach of each kind of assignment alone, for a caller that has its own assignments. */
const breadth = (caller: CaseCaller): AuthorizationCase[] => [
  { name: 'no row', caller, rows: [], allowed: NOWHERE },
  { name: 'Allow on the tenant', caller, rows: [allow('home')], allowed: HOME },
  { name: 'Allow on a customer', caller, rows: [allow('customer')], allowed: ['inCustomer', 'inBoth'] },
  { name: 'Allow on a customer without devices', caller, rows: [allow('emptyCustomer')], allowed: NOWHERE },
  { name: 'Allow on a device group', caller, rows: [allow('group')], allowed: ['inGroup', 'inBoth'] },
  { name: 'Allow on the second of two groups', caller, rows: [allow('secondGroup')], allowed: ['inBoth'] },
  { name: 'Allow on a device', caller, rows: [allow('plain')], allowed: ['plain'] },
  {
    name: 'Allow on several scopes adds up',
    caller,
    rows: [allow('customer'), allow('plain')],
    allowed: ['plain', 'inCustomer', 'inBoth'],
  },
  { name: 'Deny alone', caller, rows: [deny('home')], allowed: NOWHERE },
  { name: 'Deny on the server', caller, rows: [allow('home'), deny('server')], allowed: NOWHERE },
  { name: 'Deny on the tenant against Allow on a device', caller, rows: [allow('plain'), deny('home')], allowed: NOWHERE },
  { name: 'Deny on a customer', caller, rows: [allow('home'), deny('customer')], allowed: ['plain', 'inGroup'] },
  { name: 'Deny on a device group', caller, rows: [allow('home'), deny('group')], allowed: ['plain', 'inCustomer'] },
  { name: 'Deny on a device', caller, rows: [allow('home'), deny('inBoth')], allowed: ['plain', 'inCustomer', 'inGroup'] },
  { name: 'Deny on a group against Allow on its device', caller, rows: [allow('inGroup'), deny('group')], allowed: NOWHERE },
  { name: 'Allow on a group against Deny on a customer', caller, rows: [allow('group'), deny('customer')], allowed: ['inGroup'] },
  { name: 'Allow and Deny at the same scope', caller, rows: [allow('home'), deny('home')], allowed: NOWHERE },
  { name: 'a disabled Allow', caller, rows: [allow('home', disabled)], allowed: NOWHERE },
  { name: 'a disabled Deny', caller, rows: [allow('home'), deny('home', disabled)], allowed: HOME },
  { name: 'another permission', caller, rows: [allow('home', { permission: Permission.DeviceDelete })], allowed: NOWHERE },
  {
    name: 'a Deny of another permission',
    caller,
    rows: [allow('home'), deny('home', { permission: Permission.DeviceDelete })],
    allowed: HOME,
  },
  { name: 'an Allow at a scope kind that the permission has not', caller, rows: [allow('userGroup')], allowed: NOWHERE },
  {
    name: 'narrower rows do not reach what contains them',
    caller,
    rows: [allow('inGroup'), allow('customer'), allow('secondGroup')],
    allowed: ['inGroup', 'inCustomer', 'inBoth'],
    decisions: [
      [Permission.DeviceRead, home, false],
      [Permission.DeviceRead, server, false],
      [Permission.DeviceRead, resourceOf(containers.group), false],
      [Permission.DeviceRead, resourceOf(containers.customer), true],
      [Permission.DeviceRead, resourceOf(containers.secondGroup), true],
    ],
  },
  {
    name: 'group permissions reach the group and, from the tenant, all groups',
    caller,
    rows: [
      allow('group', { permission: Permission.DeviceGroupAssignDevices }),
      allow('home', { permission: Permission.UserGroupAssignUsers }),
      deny('userGroup', { permission: Permission.UserGroupAssignUsers }),
    ],
    allowed: NOWHERE,
    decisions: [
      [Permission.DeviceGroupAssignDevices, resourceOf(containers.group), true],
      [Permission.DeviceGroupAssignDevices, resourceOf(containers.secondGroup), false],
      [Permission.DeviceGroupAssignDevices, home, false],
      [Permission.UserGroupAssignUsers, resourceOf(containers.userGroup), false],
      [Permission.UserGroupAssignUsers, home, true],
    ],
  },
  {
    name: 'permissions do not imply each other',
    caller,
    rows: [
      allow('home', { permission: Permission.TenantTagsWrite }),
      allow('home', { permission: Permission.DeviceRemoteControlInteract }),
    ],
    allowed: NOWHERE,
    decisions: [
      [Permission.TenantTagsWrite, home, true],
      [Permission.TenantRead, home, false],
      [Permission.DeviceRemoteControlInteract, devices.plain, true],
      [Permission.DeviceRemoteControlConnect, devices.plain, false],
    ],
  },
];

/** Cases for callers that are bound to a tenant. */
const boundToTenant = (caller: CaseCaller): AuthorizationCase[] => [
  { name: 'Allow of a tenant permission at the server does not count', caller, rows: [allow('server')], allowed: NOWHERE },
  { name: 'nor does it widen an Allow in the tenant', caller, rows: [allow('server'), allow('plain')], allowed: ['plain'] },
  { name: 'Allow on another tenant, owned by it', caller, rows: [allow('other')], allowed: NOWHERE },
  { name: 'Allow on a device of another tenant, owned by it', caller, rows: [allow('foreign')], allowed: NOWHERE },
  {
    name: "Allow on a device of another tenant, owned by one's own",
    caller,
    rows: [allow('foreign', { owningTenantId: tenants.home }), allow('foreignGroup', { owningTenantId: tenants.home })],
    allowed: NOWHERE,
  },
  {
    name: "a Deny that another tenant owns, on one's own device",
    caller,
    rows: [allow('home'), deny('plain', { owningTenantId: tenants.other })],
    allowed: HOME,
  },
  {
    name: 'a server permission at the server counts',
    caller,
    rows: [allow('server', { permission: Permission.ServerTenantsRead })],
    allowed: NOWHERE,
    decisions: [
      [Permission.ServerTenantsRead, server, true],
      [Permission.ServerTenantsWrite, server, false],
      [Permission.TenantRead, home, false],
      [Permission.TenantRead, other, false],
    ],
  },
];

/** Every case. */
export const authorizationCases: readonly AuthorizationCase[] = [
  ...breadth('user'),
  ...boundToTenant('user'),
  ...breadth('tenant account'),
  ...boundToTenant('tenant account'),
  ...breadth('restricted server account'),
  ...breadth('inheriting token'),

  // Through groups
  { name: 'Allow through a group', caller: 'user', rows: [allow('home', onGroup)], allowed: HOME },
  { name: 'Allow of a group without the user', caller: 'user', rows: [allow('home', { holder: 'strange group' })], allowed: NOWHERE },
  {
    name: 'Deny of a group without the user',
    caller: 'user',
    rows: [allow('home'), deny('home', { holder: 'strange group' })],
    allowed: HOME,
  },
  {
    name: 'Deny through a group against a direct Allow',
    caller: 'user',
    rows: [allow('home'), deny('group', onGroup)],
    allowed: ['plain', 'inCustomer'],
  },
  {
    name: 'a direct Deny against Allow through a group',
    caller: 'user',
    rows: [allow('home', onGroup), deny('plain')],
    allowed: ['inCustomer', 'inGroup', 'inBoth'],
  },
  {
    name: 'direct rows and those of a group add up',
    caller: 'user',
    rows: [allow('plain'), allow('customer', onGroup)],
    allowed: ['plain', 'inCustomer', 'inBoth'],
  },
  {
    name: 'a disabled Deny through a group',
    caller: 'user',
    rows: [allow('home'), deny('server', { ...onGroup, ...disabled })],
    allowed: HOME,
  },
  { name: 'a server-wide Deny through a group', caller: 'user', rows: [allow('home'), deny('server', onGroup)], allowed: NOWHERE },
  { name: 'a server-wide Allow through a group does not count', caller: 'user', rows: [allow('server', onGroup)], allowed: NOWHERE },

  // Personal access tokens
  { name: 'no rows of its own', caller: 'restricted token', rows: [allow('home')], allowed: NOWHERE },
  { name: 'no rows of the owner', caller: 'restricted token', rows: [allow('home', onToken)], allowed: NOWHERE },
  { name: 'as broad as the owner', caller: 'restricted token', rows: [allow('home'), allow('home', onToken)], allowed: HOME },
  {
    name: 'narrower than the owner',
    caller: 'restricted token',
    rows: [allow('home'), allow('group', onToken)],
    allowed: ['inGroup', 'inBoth'],
  },
  {
    name: 'broader than the owner',
    caller: 'restricted token',
    rows: [allow('group'), allow('home', onToken)],
    allowed: ['inGroup', 'inBoth'],
  },
  { name: 'beside the owner', caller: 'restricted token', rows: [allow('group'), allow('customer', onToken)], allowed: ['inBoth'] },
  {
    name: 'the owner through a group',
    caller: 'restricted token',
    rows: [allow('home', onGroup), allow('plain', onToken)],
    allowed: ['plain'],
  },
  {
    name: 'a Deny of the token subtracts',
    caller: 'restricted token',
    rows: [allow('home'), allow('home', onToken), deny('customer', onToken)],
    allowed: ['plain', 'inGroup'],
  },
  {
    name: 'a Deny of the owner subtracts',
    caller: 'restricted token',
    rows: [allow('home'), deny('customer'), allow('home', onToken)],
    allowed: ['plain', 'inGroup'],
  },
  {
    name: 'a server-wide Deny of the token',
    caller: 'restricted token',
    rows: [allow('home'), allow('home', onToken), deny('server', onToken)],
    allowed: NOWHERE,
  },
  {
    name: 'a disabled row of the token',
    caller: 'restricted token',
    rows: [allow('home'), allow('home', { ...onToken, ...disabled })],
    allowed: NOWHERE,
  },
  {
    name: 'a server-wide Allow of the token does not count',
    caller: 'restricted token',
    rows: [allow('home'), allow('server', onToken)],
    allowed: NOWHERE,
  },
  {
    name: 'both must hold a server permission',
    caller: 'restricted token',
    rows: [
      allow('server', { permission: Permission.ServerTenantsRead }),
      allow('server', { permission: Permission.ServerTenantsWrite }),
      allow('server', { ...onToken, permission: Permission.ServerTenantsRead }),
      allow('server', { ...onToken, permission: Permission.ServerTenantsDelete }),
    ],
    allowed: NOWHERE,
    decisions: [
      [Permission.ServerTenantsRead, server, true],
      [Permission.ServerTenantsWrite, server, false],
      [Permission.ServerTenantsDelete, server, false],
    ],
  },
  {
    name: "the owner's group",
    caller: 'inheriting token',
    rows: [allow('home', onGroup), deny('plain')],
    allowed: ['inCustomer', 'inGroup', 'inBoth'],
  },
  {
    name: 'rows of the token do not count',
    caller: 'inheriting token',
    rows: [allow('plain'), allow('home', onToken), deny('plain', onToken)],
    allowed: ['plain'],
  },

  // Logon tokens
  { name: 'no row of its own', caller: 'logon token', rows: [], allowed: NOWHERE },
  { name: "the user's own rows do not grant", caller: 'logon token', rows: [allow('home')], allowed: NOWHERE },
  { name: 'a row on its device', caller: 'logon token', rows: [allow(LOGON_DEVICE, onToken)], allowed: [LOGON_DEVICE] },
  { name: 'a row on another device', caller: 'logon token', rows: [allow('plain', onToken)], allowed: NOWHERE },
  {
    name: 'a broad row reaches its device only',
    caller: 'logon token',
    rows: [allow('home', onToken)],
    allowed: [LOGON_DEVICE],
    decisions: [[Permission.DeviceDelete, devices[LOGON_DEVICE], false]],
  },
  { name: 'a Deny of the token', caller: 'logon token', rows: [allow(LOGON_DEVICE, onToken), deny('group', onToken)], allowed: NOWHERE },
  { name: 'a Deny on the user', caller: 'logon token', rows: [allow(LOGON_DEVICE, onToken), deny('home')], allowed: NOWHERE },
  {
    name: "a Deny through the user's group",
    caller: 'logon token',
    rows: [allow(LOGON_DEVICE, onToken), deny('server', onGroup)],
    allowed: NOWHERE,
  },
  {
    name: 'a Deny on the user elsewhere',
    caller: 'logon token',
    rows: [allow(LOGON_DEVICE, onToken), deny('plain')],
    allowed: [LOGON_DEVICE],
  },
  {
    name: "no tenant permission, whatever the user's rows",
    caller: 'logon token',
    rows: [allow(LOGON_DEVICE, onToken), allow('home', { permission: Permission.TenantPermissionsWrite })],
    allowed: [LOGON_DEVICE],
    decisions: [[Permission.TenantPermissionsWrite, home, false]],
  },

  // Service accounts of the server
  { name: 'Allow at the server', caller: 'restricted server account', rows: [allow('server')], allowed: EVERYWHERE },
  { name: 'Allow on another tenant', caller: 'restricted server account', rows: [allow('other')], allowed: ['foreign'] },
  { name: 'Allow on two tenants', caller: 'restricted server account', rows: [allow('home'), allow('other')], allowed: EVERYWHERE },
  { name: 'Deny on one tenant', caller: 'restricted server account', rows: [allow('server'), deny('home')], allowed: ['foreign'] },
  { name: 'Allow on a foreign group', caller: 'restricted server account', rows: [allow('foreignGroup')], allowed: ['foreign'] },
  {
    name: 'tenant permissions by its rows, on the tenants that they name',
    caller: 'restricted server account',
    rows: [allow('home', { permission: Permission.TenantTagsWrite }), allow('server', { permission: Permission.ServerTenantsRead })],
    allowed: NOWHERE,
    decisions: [
      [Permission.TenantTagsWrite, home, true],
      [Permission.TenantTagsWrite, other, false],
      [Permission.TenantTagsWrite, server, false],
      [Permission.ServerTenantsRead, server, true],
    ],
  },
  {
    name: 'gets nothing from an Allow at a scope that is illegal for the permission',
    caller: 'restricted server account',
    rows: [allow('server', { permission: Permission.TenantTagsWrite })],
    allowed: NOWHERE,
    decisions: [
      [Permission.TenantTagsWrite, home, false],
      [Permission.TenantTagsWrite, server, false],
    ],
  },
  {
    name: 'is refused by a Deny at such a scope',
    caller: 'restricted server account',
    rows: [allow('home', { permission: Permission.TenantTagsWrite }), deny('server', { permission: Permission.TenantTagsWrite })],
    allowed: NOWHERE,
    decisions: [[Permission.TenantTagsWrite, home, false]],
  },
  {
    name: 'bypasses every row, a Deny included',
    caller: 'unrestricted server account',
    rows: [deny('server'), deny('home', { permission: Permission.TenantTagsWrite })],
    allowed: EVERYWHERE,
    decisions: [
      [Permission.TenantTagsWrite, home, true],
      [Permission.TenantTagsWrite, other, true],
      [Permission.ServerPermissionsWrite, server, true],
    ],
  },
];

/** Ids of the rows that make up a caller. */
export interface CallerIds {
  readonly principal: string;
  readonly credential: string;
}

/** The principal of a case's caller. */
export function principalOf(caller: CaseCaller, ids: CallerIds): Principal {
  const common = { id: ids.principal, name: caller };
  const user = { type: 'User', ...common, tenantId: tenants.home, mustChangePassword: false } as const;
  const account = { ...common, credentialId: ids.credential };
  const logonToken = {
    type: 'LogonToken',
    id: ids.credential,
    sessionId: ids.credential,
    deviceId: devices[LOGON_DEVICE].id,
    allowedDesktopSessionIds: null,
    userCorrelationId: null,
    sessionCorrelationId: null,
    maker: null,
  } as const;
  const principals: Readonly<Record<CaseCaller, Principal>> = {
    user: { ...user, credential: { type: 'Session', id: ids.credential, provenAt: 0 } },
    'restricted token': { ...user, credential: { type: 'PersonalAccessToken', id: ids.credential, mode: 'Restricted' } },
    'inheriting token': { ...user, credential: { type: 'PersonalAccessToken', id: ids.credential, mode: 'InheritOwner' } },
    'logon token': { ...user, credential: logonToken },
    'tenant account': { type: 'TenantServiceAccount', ...account, tenantId: tenants.home },
    'restricted server account': { type: 'ServerServiceAccount', ...account, accessMode: 'Restricted' },
    'unrestricted server account': { type: 'ServerServiceAccount', ...account, accessMode: 'Unrestricted' },
  };
  return principals[caller];
}

/** The rule that a stored assignment becomes for its holders. */
export function ruleOf({ permissionName, effect, scopeKind, scopeId, owningTenantId, holder }: CaseRow): Rule {
  const throughGroupId = holder === 'group' ? containers.userGroup.id : null;
  return { assignmentId: guid(0), permissionName, effect, scopeKind, scopeId, owningTenantId, throughGroupId };
}

function scopeOf(name: ScopeName): Pick<CaseRow, 'scopeKind' | 'scopeId' | 'owningTenantId'> {
  if (name === 'server') return { scopeKind: PermissionScopeKind.Server, scopeId: null, owningTenantId: null };
  if (name === 'home' || name === 'other') {
    return { scopeKind: PermissionScopeKind.Tenant, scopeId: tenants[name], owningTenantId: tenants[name] };
  }
  if (isDevice(name)) {
    return { scopeKind: PermissionScopeKind.Device, scopeId: devices[name].id, owningTenantId: devices[name].tenantId };
  }
  const { kind, id, tenantId } = containers[name];
  return { scopeKind: kind, scopeId: id, owningTenantId: tenantId };
}

function isDevice(name: keyof typeof containers | DeviceName): name is DeviceName {
  return name in devices;
}
