import { account } from './account.js';
import { agents } from './agents.js';
import { authorizationChangeLogs } from './authorization-change-logs.js';
import { caller } from './caller.js';
import { customers } from './customers.js';
import { deploymentOptions } from './deployment-options.js';
import { desktopPreview } from './desktop-preview.js';
import { deviceActivity } from './device-activity.js';
import { deviceFileSystem } from './device-file-system.js';
import { deviceGroups } from './device-groups.js';
import { deviceTags } from './device-tags.js';
import { devices } from './devices.js';
import { effectivePermissions } from './effective-permissions.js';
import { effectiveUserPreferences } from './effective-user-preferences.js';
import { externalSignIn } from './external-sign-in.js';
import { installerKeys } from './installer-keys.js';
import { interactiveLogin } from './interactive-login.js';
import { internalRows } from './internal.js';
import { invites } from './invites.js';
import { logonTokens } from './logon-tokens.js';
import { passkeys } from './passkeys.js';
import { permissionAssignments } from './permission-assignments.js';
import { personalAccessTokens } from './personal-access-tokens.js';
import { publicServerSettings } from './public-server-settings.js';
import { registration } from './registration.js';
import type { Resource, Route, Schemas } from './resource.js';
import { securityLog } from './security-log.js';
import { serverAlert } from './server-alert.js';
import { serverLogs } from './server-logs.js';
import { serverServiceAccounts } from './server-service-accounts.js';
import { serverStats } from './server-stats.js';
import { sharedSchemas } from './shared-schemas.js';
import { signIn } from './sign-in.js';
import { system } from './system.js';
import { tags } from './tags.js';
import { tenantServiceAccounts } from './tenant-service-accounts.js';
import { tenantSettings } from './tenant-settings.js';
import { tenants } from './tenants.js';
import { testEmail } from './test-email.js';
import { twoFactor } from './two-factor.js';
import { userGroups } from './user-groups.js';
import { userPreferences } from './user-preferences.js';
import { userServerSettings } from './user-server-settings.js';
import { userStorage } from './user-storage.js';
import { users } from './users.js';
import { version } from './version.js';

/** Every resource of the service. */
export const resources: readonly Resource[] = [
  account,
  agents,
  authorizationChangeLogs,
  caller,
  customers,
  deploymentOptions,
  desktopPreview,
  deviceActivity,
  deviceFileSystem,
  deviceGroups,
  deviceTags,
  devices,
  effectivePermissions,
  effectiveUserPreferences,
  externalSignIn,
  installerKeys,
  interactiveLogin,
  invites,
  logonTokens,
  passkeys,
  permissionAssignments,
  personalAccessTokens,
  publicServerSettings,
  registration,
  securityLog,
  serverAlert,
  serverLogs,
  serverServiceAccounts,
  serverStats,
  signIn,
  system,
  tags,
  tenantServiceAccounts,
  tenantSettings,
  tenants,
  testEmail,
  twoFactor,
  userGroups,
  userPreferences,
  userServerSettings,
  userStorage,
  users,
  version,
];

const written: Readonly<Record<string, Route>> = joined(resources.map((resource) => resource.routes));

/** Every route of the service, by method and path. */
export const routes: Readonly<Record<string, Route>> = joined([written, internalRows(written)]);

/** Every schema of version 1, by name. */
export const schemas: Schemas = joined([sharedSchemas, ...resources.map((resource) => resource.schemas ?? {})]);

/** Joins tables into one. A name that occurs in two tables is an error, because one would be lost. */
function joined<T>(tables: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  const entries = tables.flatMap((table) => Object.entries(table));
  const result = Object.fromEntries(entries);
  const twice = entries.filter(([name, value]) => result[name] !== value).map(([name]) => name);
  if (twice.length > 0) throw new Error(`These stand in two files of test/routes: ${twice.join(', ')}.`);
  return result;
}
