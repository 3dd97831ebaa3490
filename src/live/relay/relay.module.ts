import { Module } from '@nestjs/common';

import { SignalRModule } from '#libs/signalr/nest';

import { DeviceActivityModule } from '../../devices/device-activity/device-activity.module.js';
import { RelayAddresses } from './relay-addresses.js';
import { RelayEndpoint } from './relay-endpoint.js';
import { RelayLimits } from './relay-limits.js';
import { RelayMetrics } from './relay-metrics.js';
import { RelayPlaces } from './relay-places.js';
import { RelaySessions } from './relay-sessions.js';
import { SessionRightsWatch } from './remote-control/session-rights.js';
import { RequestedSessions } from './requested-sessions.js';
import { SessionChangeLog } from './session-change-log.js';
import { RelayPairing } from './relay-pairing.js';

@Module({
  imports: [DeviceActivityModule, SignalRModule],
  providers: [
    RelayAddresses,
    RelayEndpoint,
    RelayLimits,
    RelayMetrics,
    RelayPlaces,
    RelaySessions,
    RequestedSessions,
    SessionChangeLog,
    SessionRightsWatch,
    RelayPairing,
  ],
  exports: [RelayAddresses, RelayEndpoint, RelayPairing, RequestedSessions, SessionRightsWatch],
})
export class RelayModule {}
