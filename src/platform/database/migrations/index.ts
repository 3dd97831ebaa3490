import { FirstSchema1763650000000 } from './1763650000000-first-schema.js';
import { WiderIndexOfCounts1764180000000 } from './1764180000000-wider-index-of-counts.js';
import { DeviceFieldsAndNotes1764190000000 } from './1764190000000-device-fields-and-notes.js';
import { DeviceInventories1764190000001 } from './1764190000001-device-inventories.js';
import { ChangeLogSubjects1764200000000 } from './1764200000000-change-log-subjects.js';
import { SuspendedUsers1764210000000 } from './1764210000000-suspended-users.js';
import { RemoteControlSessions1764260000000 } from './1764260000000-remote-control-sessions.js';
import { DeviceGroupNotes1764270000000 } from './1764270000000-device-group-notes.js';
import { InstallerKeyCustomers1764280000000 } from './1764280000000-installer-key-customers.js';
import { Events1764290000000 } from './1764290000000-events.js';
import { Webhooks1764290100000 } from './1764290100000-webhooks.js';
import { ChangeLogChains1764300000000 } from './1764300000000-change-log-chains.js';
import { BackupRuns1764310000000 } from './1764310000000-backup-runs.js';
import { Forwarding1764400000000 } from './1764400000000-forwarding.js';
import { LogRetentions1764410000000 } from './1764410000000-log-retentions.js';
import { ViewerPlaces1764420000000 } from './1764420000000-viewer-places.js';
import { RelayPlaces1764430000000 } from './1764430000000-relay-places.js';
import { NamesAcrossTenants1764440000000 } from './1764440000000-names-across-tenants.js';
import { LastOutcomes1764450000000 } from './1764450000000-last-outcomes.js';
import { LongerChains1764460000000 } from './1764460000000-longer-chains.js';
import { DetailsDigest1764470000000 } from './1764470000000-details-digest.js';

/** Every migration in the order in which it runs. */
export const migrations = [
  FirstSchema1763650000000,
  WiderIndexOfCounts1764180000000,
  DeviceFieldsAndNotes1764190000000,
  DeviceInventories1764190000001,
  ChangeLogSubjects1764200000000,
  SuspendedUsers1764210000000,
  RemoteControlSessions1764260000000,
  DeviceGroupNotes1764270000000,
  InstallerKeyCustomers1764280000000,
  Events1764290000000,
  Webhooks1764290100000,
  ChangeLogChains1764300000000,
  BackupRuns1764310000000,
  Forwarding1764400000000,
  LogRetentions1764410000000,
  ViewerPlaces1764420000000,
  RelayPlaces1764430000000,
  NamesAcrossTenants1764440000000,
  LastOutcomes1764450000000,
  LongerChains1764460000000,
  DetailsDigest1764470000000,
];
