import { ServerSecret } from './authentication/server-secret.entity.js';
import { FormerToken } from './authentication/sessions/former-token.entity.js';
import { Session } from './authentication/sessions/session.entity.js';
import { AuthorizationChangeLog } from './authorization/change-log.entity.js';
import { Customer } from './customers/customer.entity.js';
import { DeviceGroup, DeviceGroupMember } from './device-groups/device-group.entity.js';
import { DeletedDeviceRow } from './devices/deleted-device.entity.js';
import { DeviceActivity } from './device-activity/device-activity.entity.js';
import { Device, DeviceSearchText } from './devices/device.entity.js';
import { ExternalLogin, ExternalPassage } from './external-sign-in/external-login.entity.js';
import { InstallerKey, InstallerKeyUsage } from './installer-keys/installer-key.entity.js';
import { Invite } from './invites/invite.entity.js';
import { LogonToken } from './logon-tokens/logon-token.entity.js';
import { Passkey, UsedPasskeyChallenge } from './passkeys/passkey.entity.js';
import { PermissionAssignment } from './permission-assignments/permission-assignment.entity.js';
import { PersonalAccessToken } from './personal-access-tokens/personal-access-token.entity.js';
import { AccountCode } from './registration/account-code.entity.js';
import { SecurityEvent } from './security-log/security-event.entity.js';
import { JobRun } from './background/job-run.entity.js';
import { RequestWindow } from './interactive-login/request-window.entity.js';
import { SchemaFloor } from './database/schema-floor.entity.js';
import { ServerNodeRow } from './node/node.entity.js';
import { ServerAlert } from './server/server-alert.entity.js';
import { ServiceAccount, ServiceAccountCredential } from './service-accounts/service-account.entity.js';
import { KnownBrowser } from './sign-in/known-browser.entity.js';
import { SourceFailure } from './sign-in/source-failure.entity.js';
import { UnknownName } from './sign-in/unknown-name.entity.js';
import { DeviceTag, Tag } from './tags/tag.entity.js';
import { TenantSetting } from './tenant-settings/tenant-setting.entity.js';
import { Tenant } from './tenants/tenant.entity.js';
import { Authenticator, RecoveryCode } from './two-factor/two-factor.entity.js';
import { UserGroup, UserGroupMember } from './user-groups/user-group.entity.js';
import { UserPreference } from './user-preferences/user-preference.entity.js';
import { UserStorageItem } from './user-storage/user-storage-item.entity.js';
import { UserPresenceRow } from './users/user-presence.entity.js';
import { User } from './users/user.entity.js';

/** Every entity of the service, for the application and for the migration tool. */
export const entities = [
  AccountCode,
  Authenticator,
  AuthorizationChangeLog,
  Customer,
  DeletedDeviceRow,
  Device,
  DeviceActivity,
  DeviceGroup,
  DeviceGroupMember,
  DeviceSearchText,
  DeviceTag,
  ExternalLogin,
  ExternalPassage,
  FormerToken,
  InstallerKey,
  InstallerKeyUsage,
  Invite,
  JobRun,
  LogonToken,
  Passkey,
  PermissionAssignment,
  PersonalAccessToken,
  RecoveryCode,
  RequestWindow,
  SchemaFloor,
  SecurityEvent,
  ServerAlert,
  ServerNodeRow,
  ServerSecret,
  ServiceAccount,
  ServiceAccountCredential,
  Session,
  Tag,
  Tenant,
  TenantSetting,
  KnownBrowser,
  SourceFailure,
  UnknownName,
  UsedPasskeyChallenge,
  User,
  UserGroup,
  UserGroupMember,
  UserPreference,
  UserPresenceRow,
  UserStorageItem,
];
