/** Sources that the front end reads, as the first member of each key of the cache names them. */
export type Resource =
  | 'account'
  | 'change-log'
  | 'checked'
  | 'customers'
  | 'desktop-preview'
  | 'desktops'
  | 'device-activity'
  | 'device-groups'
  | 'device-logs'
  | 'device-permissions'
  | 'device-views'
  | 'devices'
  | 'edited'
  | 'effective-permissions'
  | 'files'
  | 'first-run'
  | 'installer-keys'
  | 'invitation'
  | 'invites'
  | 'key-approvals'
  | 'own-tokens'
  | 'permission-assignments'
  | 'permission-catalog'
  | 'permission-presets'
  | 'preferences'
  | 'registration'
  | 'server-alert'
  | 'server-offer'
  | 'server-stats'
  | 'service-accounts'
  | 'session'
  | 'tag-capability'
  | 'tags'
  | 'telemetry-address'
  | 'tenant-contents'
  | 'tenant-settings'
  | 'tenants'
  | 'tokens'
  | 'user-groups'
  | 'users'
  | 'version';

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [resource: Resource, ...parts: readonly unknown[]];
  }
}
