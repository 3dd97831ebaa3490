import { authorizationChangeLogs } from './access/authorization-change-logs.js';
import { changeLog } from './access/change-log.js';
import { effectivePermissions } from './access/effective-permissions.js';
import { permissionAssignments } from './access/permission-assignments.js';
import { securityLog } from './access/security-log.js';
import { agentBundles } from './devices/agent-bundles.js';
import { agents } from './devices/agents.js';
import { customers } from './devices/customers.js';
import { deploymentOptions } from './devices/deployment-options.js';
import { desktopPreview } from './devices/desktop-preview.js';
import { deviceActivity } from './devices/device-activity.js';
import { deviceFileSystem } from './devices/device-file-system.js';
import { deviceFiles } from './devices/device-files.js';
import { deviceGroups } from './devices/device-groups.js';
import { deviceTags } from './devices/device-tags.js';
import { devices } from './devices/devices.js';
import { installerKeys } from './devices/installer-keys.js';
import { inventory } from './devices/inventory.js';
import { tags } from './devices/tags.js';
import { internalRows } from './internal.js';
import { account } from './people/account.js';
import { effectiveUserPreferences } from './people/effective-user-preferences.js';
import { externalSignIn } from './people/external-sign-in.js';
import { firstAdministrators } from './people/first-administrators.js';
import { interactiveLogin } from './people/interactive-login.js';
import { invites } from './people/invites.js';
import { logonTokens } from './people/logon-tokens.js';
import { passkeys } from './people/passkeys.js';
import { personalAccessTokens } from './people/personal-access-tokens.js';
import { registration } from './people/registration.js';
import { serverServiceAccounts } from './people/server-service-accounts.js';
import { signIn } from './people/sign-in.js';
import { tenantServiceAccounts } from './people/tenant-service-accounts.js';
import { testEmail } from './people/test-email.js';
import { twoFactor } from './people/two-factor.js';
import { userGroups } from './people/user-groups.js';
import { userPreferences } from './people/user-preferences.js';
import { userStanding } from './people/user-standing.js';
import { userStorage } from './people/user-storage.js';
import { users } from './people/users.js';
import type { Resource, Route, Schemas } from './resource.js';
import { sharedSchemas } from './shared-schemas.js';
import { caller } from './system/caller.js';
import { events } from './system/events.js';
import { publicServerSettings } from './system/public-server-settings.js';
import { serverAlert } from './system/server-alert.js';
import { serverLogs } from './system/server-logs.js';
import { serverBackups } from './system/server-backups.js';
import { serverSettings } from './system/server-settings.js';
import { serverStats } from './system/server-stats.js';
import { system } from './system/system.js';
import { userServerSettings } from './system/user-server-settings.js';
import { version } from './system/version.js';
import { webhooks } from './system/webhooks.js';
import { logRetention } from './tenants/log-retention.js';
import { ownTenant } from './tenants/own-tenant.js';
import { tenantSettings } from './tenants/tenant-settings.js';
import { tenants } from './tenants/tenants.js';

/** Every resource of the service. */
export const resources: readonly Resource[] = [
  account,
  agents,
  authorizationChangeLogs,
  agentBundles,
  caller,
  customers,
  deploymentOptions,
  logRetention,
  desktopPreview,
  deviceActivity,
  deviceFileSystem,
  deviceFiles,
  deviceGroups,
  deviceTags,
  devices,
  effectivePermissions,
  effectiveUserPreferences,
  events,
  externalSignIn,
  firstAdministrators,
  installerKeys,
  interactiveLogin,
  inventory,
  invites,
  logonTokens,
  ownTenant,
  passkeys,
  permissionAssignments,
  personalAccessTokens,
  publicServerSettings,
  registration,
  changeLog,
  securityLog,
  serverAlert,
  serverLogs,
  serverServiceAccounts,
  serverBackups,
  serverSettings,
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
  userStanding,
  userStorage,
  users,
  webhooks,
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
