import { ServerSecret } from './access/authentication/server-secrets/server-secret.entity.js';
import { FormerToken } from './access/authentication/sessions/former-token.entity.js';
import { Session } from './access/authentication/sessions/session.entity.js';
import { ChangeLogChain, ChangeLogLink } from './access/authorization/change-log/change-log-chain.entity.js';
import { ChangeLogBackfill, ChangeLogName, ChangeLogSubject } from './access/authorization/change-log/change-log-subject.entity.js';
import { AuthorizationChangeLog } from './access/authorization/change-log/change-log.entity.js';
import { EventHead, TenantEvent } from './access/authorization/event-log/event.entity.js';
import { LogRetention } from './access/log-retention/log-retention.entity.js';
import { PermissionAssignment } from './access/permission-assignments/permission-assignment.entity.js';
import { SecurityEvent } from './access/security-log/security-event.entity.js';
import { Customer } from './devices/customers/customer.entity.js';
import { DeviceActivity } from './devices/device-activity/device-activity.entity.js';
import { DeviceGroup, DeviceGroupMember } from './devices/device-groups/device-group.entity.js';
import { DeletedDeviceRow } from './devices/devices/deleted-device.entity.js';
import { DeviceAbsence } from './devices/devices/device-absence.entity.js';
import { Device, DeviceSearchText } from './devices/devices/device.entity.js';
import { DeviceField, DeviceFieldValue, DeviceNote } from './devices/inventory/device-field.entity.js';
import { DeviceGroupNotes } from './devices/inventory/device-group-notes.entity.js';
import { DeviceInventory } from './devices/inventory/reports/device-inventory.entity.js';
import { InstallerKey, InstallerKeyUsage } from './devices/installer-keys/installer-key.entity.js';
import { InstallerKeyCustomer } from './devices/installer-keys/key-customer.entity.js';
import { DeviceTag, Tag } from './devices/tags/tag.entity.js';
import { ViewerPlaceRow } from './live/hubs/viewer/connections/viewer-place.entity.js';
import { RelayPlaceRow } from './live/relay/relay-place.entity.js';
import { ExternalLogin, ExternalSignInFlow } from './people/external-sign-in/external-login.entity.js';
import { RequestWindow } from './people/interactive-login/request-window.entity.js';
import { Invite } from './people/invites/invite.entity.js';
import { LogonToken } from './people/logon-tokens/logon-token.entity.js';
import { Passkey, UsedPasskeyChallenge } from './people/passkeys/passkey.entity.js';
import { PersonalAccessToken } from './people/personal-access-tokens/personal-access-token.entity.js';
import { AccountCode } from './people/registration/account-code.entity.js';
import { ServiceAccount, ServiceAccountCredential } from './people/service-accounts/service-account.entity.js';
import { KnownBrowser } from './people/sign-in/known-browser.entity.js';
import { SourceFailure } from './people/sign-in/source-failure.entity.js';
import { UnknownName } from './people/sign-in/unknown-name.entity.js';
import { Authenticator, RecoveryCode } from './people/two-factor/two-factor.entity.js';
import { UserGroup, UserGroupMember } from './people/user-groups/user-group.entity.js';
import { UserPreference } from './people/user-preferences/user-preference.entity.js';
import { UserStorageItem } from './people/user-storage/user-storage-item.entity.js';
import { UserPresenceRow } from './people/users/user-presence.entity.js';
import { User } from './people/users/user.entity.js';
import { SchemaFloor } from './platform/database/schema/schema-floor.entity.js';
import { LastOutcome } from './platform/node/last-outcome.entity.js';
import { ServerNodeRow } from './platform/node/node.entity.js';
import { JobRun } from './system/background/job-run.entity.js';
import { BackupRun } from './system/backups/running/backup-run.entity.js';
import { ForwardingCursor, ForwardingEntry, ForwardingHead } from './system/forwarding/forwarding.entity.js';
import { ServerAlert } from './system/server/server-alert.entity.js';
import { Webhook, WebhookDelivery } from './system/webhooks/webhook.entity.js';
import { TenantSetting } from './tenants/tenant-settings/tenant-setting.entity.js';
import { Tenant } from './tenants/tenants/tenant.entity.js';

/** Every entity of the service, for the application and for the migration tool. */
export const entities = [
  AccountCode,
  Authenticator,
  AuthorizationChangeLog,
  BackupRun,
  ChangeLogBackfill,
  ChangeLogChain,
  ChangeLogLink,
  ChangeLogName,
  ChangeLogSubject,
  Customer,
  DeletedDeviceRow,
  Device,
  DeviceAbsence,
  DeviceActivity,
  DeviceField,
  DeviceFieldValue,
  DeviceGroup,
  DeviceGroupMember,
  DeviceInventory,
  DeviceGroupNotes,
  DeviceNote,
  DeviceSearchText,
  DeviceTag,
  EventHead,
  ExternalLogin,
  ExternalSignInFlow,
  ForwardingCursor,
  ForwardingEntry,
  ForwardingHead,
  FormerToken,
  InstallerKey,
  InstallerKeyCustomer,
  InstallerKeyUsage,
  Invite,
  JobRun,
  LastOutcome,
  LogRetention,
  LogonToken,
  Passkey,
  PermissionAssignment,
  PersonalAccessToken,
  RecoveryCode,
  RelayPlaceRow,
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
  TenantEvent,
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
  ViewerPlaceRow,
  Webhook,
  WebhookDelivery,
];
