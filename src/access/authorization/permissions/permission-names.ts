import { namesOf } from '../../../platform/http/binding/enum-fields.js';
import { PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from './permission.js';

/*
 * The enumerations of permission assignments, as requests and answers write them.
 */

export const EFFECT = namesOf('PermissionEffect', PermissionEffect, {
  Allow: 'grants the permission at the scope.',
  Deny: 'refuses the permission at the scope; any matching Deny wins over every Allow.',
});

export const PRINCIPAL_KIND = namesOf('PermissionPrincipalKind', PermissionPrincipalKind, {
  User: 'a user.',
  UserGroup: 'a user group; its assignments hold for each of its members.',
  ServiceAccount: 'a service account, of the tenant or of the server.',
  PersonalAccessToken: "a personal access token; it narrows its owner's permissions.",
  LogonToken: "a logon token; it narrows its user's permissions to one device.",
});

/** `Unknown` is left out: it stands for an omitted scope kind, and no permission allows it. */
export const SCOPE_KIND = namesOf(
  'PermissionScopeKind',
  PermissionScopeKind,
  {
    Server: 'the whole server with all its tenants; no `scopeId`.',
    Tenant: 'one tenant.',
    CustomerTenant: 'the devices of one customer.',
    DeviceGroup: 'one device group and the devices in it.',
    Device: 'one device.',
    UserGroup: 'one user group.',
  },
  [PermissionScopeKind.Unknown],
);
