import { Global, Module } from '@nestjs/common';

import { SignalRModule } from '#libs/signalr/nest';

import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';
import { AgentFeatures } from './agent-features.js';
import { DesktopReach } from './desktop-reach.js';
import { DeviceFeed } from './device-feed.js';
import { DeviceLink } from './device-link.js';
import { DevicePresence } from './device-presence.js';
import { DeviceStreams } from './device-streams.js';
import { DeviceTimes } from './device-times.js';
import { Standstill } from './standstill.js';
import { Transfers } from './transfers.js';

@Global()
@Module({
  imports: [SignalRModule.forHubs(AGENT_HUB_PATH, VIEWER_HUB_PATH)],
  providers: [AgentFeatures, DesktopReach, DeviceFeed, DeviceLink, DevicePresence, DeviceStreams, DeviceTimes, Standstill, Transfers],
  exports: [AgentFeatures, DesktopReach, DeviceFeed, DeviceLink, DevicePresence, DeviceStreams, DeviceTimes, Standstill, Transfers],
})
export class DeviceLinkModule {}
