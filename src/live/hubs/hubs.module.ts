import { Module } from '@nestjs/common';

import { DeviceActivityModule } from '../../devices/device-activity/device-activity.module.js';
import { DevicesModule } from '../../devices/devices/devices.module.js';
import { InventoryModule } from '../../devices/inventory/inventory.module.js';
import { DeviceUpdatesModule } from '../../devices/devices/updates/device-updates.module.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { UserPreferencesModule } from '../../people/user-preferences/user-preferences.module.js';
import { UsersModule } from '../../people/users/users.module.js';
import { ServerModule } from '../../system/server/server.module.js';
import { RelayModule } from '../relay/relay.module.js';
import { AgentMessages } from './agent/agent-messages.js';
import { AgentGateway } from './agent/agent.gateway.js';
import { DeviceChanges } from './device-changes.js';
import { ActivityGateway } from './viewer/activity/activity.gateway.js';
import { DeviceVisits } from './viewer/activity/device-visits.js';
import { ViewerCalls } from './viewer/calls/viewer-calls.js';
import { ChatGateway } from './viewer/chat/chat.gateway.js';
import { ViewerChats } from './viewer/chat/viewer-chats.js';
import { ViewerAccess } from './viewer/connections/viewer-access.js';
import { ViewerNames } from './viewer/connections/viewer-names.js';
import { ViewerLimits, ViewerPlaces } from './viewer/connections/viewer-places.js';
import { DesktopsGateway } from './viewer/desktops/desktops.gateway.js';
import { RemoteSessions } from './viewer/desktops/remote-sessions.js';
import { DeviceAccess } from './viewer/devices/device-access.js';
import { DeviceCommands } from './viewer/devices/device-commands.js';
import { DeviceWake } from './viewer/devices/device-wake.js';
import { DevicesGateway } from './viewer/devices/devices.gateway.js';
import { FileUpload } from './viewer/files/file-upload.js';
import { FilesGateway } from './viewer/files/files.gateway.js';
import { HeartbeatSubscriptions } from './viewer/monitoring/heartbeat-subscriptions.js';
import { HeartbeatsGateway } from './viewer/monitoring/heartbeats.gateway.js';
import { ServerStatsFeed } from './viewer/monitoring/server-stats-feed.js';
import { TerminalActivities } from './viewer/terminals/terminal-activities.js';
import { TerminalsGateway } from './viewer/terminals/terminals.gateway.js';
import { ViewerTerminals } from './viewer/terminals/viewer-terminals.js';
import { OTHER_VIEWERS } from './viewer/other-viewers.js';
import { inboxOf, LocalViewerInbox, ViewerInbox } from './viewer/viewer-inbox.js';
import { ViewerGateway } from './viewer/viewer.gateway.js';

@Module({
  imports: [
    DeviceActivityModule,
    DevicesModule,
    DeviceUpdatesModule,
    InventoryModule,
    NodeModule,
    RelayModule,
    ServerModule,
    UserPreferencesModule,
    UsersModule,
  ],
  providers: [
    ActivityGateway,
    AgentGateway,
    AgentMessages,
    ChatGateway,
    DesktopsGateway,
    DeviceAccess,
    DeviceChanges,
    DeviceCommands,
    DevicesGateway,
    DeviceVisits,
    DeviceWake,
    FilesGateway,
    FileUpload,
    HeartbeatsGateway,
    HeartbeatSubscriptions,
    RemoteSessions,
    ServerStatsFeed,
    TerminalActivities,
    TerminalsGateway,
    ViewerAccess,
    ViewerCalls,
    ViewerGateway,
    ViewerChats,
    ViewerLimits,
    ViewerPlaces,
    LocalViewerInbox,
    { provide: ViewerInbox, inject: [LocalViewerInbox, { token: OTHER_VIEWERS, optional: true }], useFactory: inboxOf },
    ViewerNames,
    ViewerTerminals,
  ],
  exports: [HeartbeatSubscriptions, LocalViewerInbox, ViewerTerminals],
})
export class HubsModule {}
