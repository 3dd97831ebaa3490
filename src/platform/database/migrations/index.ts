import { InitialSchema1763650000000 } from './1763650000000-initial-schema.js';
import { TenantInvalidation1763700000000 } from './1763700000000-tenant-invalidation.js';
import { ExternalUserNames1763700100000 } from './1763700100000-external-user-names.js';
import { DeviceSearchTexts1763800000000 } from './1763800000000-device-search-texts.js';
import { TenantDeletion1763800100000 } from './1763800100000-tenant-deletion.js';
import { DeletedDevices1763810000000 } from './1763810000000-deleted-devices.js';
import { InstallerKeyTokens1763810100000 } from './1763810100000-installer-key-tokens.js';
import { HashedInviteCodes1763820000000 } from './1763820000000-hashed-invite-codes.js';
import { DeviceActivities1763820100000 } from './1763820100000-device-activities.js';
import { PendingDeviceKeys1763830000000 } from './1763830000000-pending-device-keys.js';
import { RelayActivities1763850000000 } from './1763850000000-relay-activities.js';
import { DevicePublicAddresses1763860000000 } from './1763860000000-device-public-addresses.js';
import { MadeTokens1763870000000 } from './1763870000000-made-tokens.js';
import { Sessions1763880000000 } from './1763880000000-sessions.js';
import { Passkeys1763890000000 } from './1763890000000-passkeys.js';
import { TwoFactor1763895000000 } from './1763895000000-two-factor.js';
import { ExternalLogins1763900000000 } from './1763900000000-external-logins.js';
import { BearerSessions1763910000000 } from './1763910000000-bearer-sessions.js';
import { CorrelationIds1763920000000 } from './1763920000000-correlation-ids.js';
import { Registration1763930000000 } from './1763930000000-registration.js';
import { MakerExpiry1763940000000 } from './1763940000000-maker-expiry.js';
import { PassagePurposes1763950000000 } from './1763950000000-passage-purposes.js';
import { OneTableOfSessions1763960000000 } from './1763960000000-one-table-of-sessions.js';
import { UnknownNames1763970000000 } from './1763970000000-unknown-names.js';
import { OnlineDevicesFirst1763980000000 } from './1763980000000-online-devices-first.js';
import { LogonTokenMakers1764000000000 } from './1764000000000-logon-token-makers.js';
import { FailuresBySource1764010000000 } from './1764010000000-failures-by-source.js';
import { LivesOfNodes1764020000000 } from './1764020000000-lives-of-nodes.js';
import { FormerTokens1764030000000 } from './1764030000000-former-tokens.js';
import { WaitingKeys1764040000000 } from './1764040000000-waiting-keys.js';
import { SharedByProcesses1764050000000 } from './1764050000000-shared-by-processes.js';
import { SchemaFloor1764060000000 } from './1764060000000-schema-floor.js';

/** Every migration in the order in which it runs. */
export const migrations = [
  InitialSchema1763650000000,
  TenantInvalidation1763700000000,
  ExternalUserNames1763700100000,
  DeviceSearchTexts1763800000000,
  TenantDeletion1763800100000,
  DeletedDevices1763810000000,
  InstallerKeyTokens1763810100000,
  HashedInviteCodes1763820000000,
  DeviceActivities1763820100000,
  PendingDeviceKeys1763830000000,
  RelayActivities1763850000000,
  DevicePublicAddresses1763860000000,
  MadeTokens1763870000000,
  Sessions1763880000000,
  Passkeys1763890000000,
  TwoFactor1763895000000,
  ExternalLogins1763900000000,
  BearerSessions1763910000000,
  CorrelationIds1763920000000,
  Registration1763930000000,
  MakerExpiry1763940000000,
  PassagePurposes1763950000000,
  OneTableOfSessions1763960000000,
  UnknownNames1763970000000,
  OnlineDevicesFirst1763980000000,
  LogonTokenMakers1764000000000,
  FailuresBySource1764010000000,
  LivesOfNodes1764020000000,
  FormerTokens1764030000000,
  WaitingKeys1764040000000,
  SharedByProcesses1764050000000,
  SchemaFloor1764060000000,
];
