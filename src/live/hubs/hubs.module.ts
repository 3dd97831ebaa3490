import { Module } from '@nestjs/common';

import { DeviceActivityModule } from '../../devices/device-activity/device-activity.module.js';
import { DevicesModule } from '../../devices/devices/devices.module.js';
import { DeviceUpdatesModule } from '../../devices/devices/updates/device-updates.module.js';
import { UserPreferencesModule } from '../../people/user-preferences/user-preferences.module.js';
import { UsersModule } from '../../people/users/users.module.js';
import { ServerModule } from '../../system/server/server.module.js';
import { RelayModule } from '../relay/relay.module.js';
import { AgentMessages } from './agent/agent-messages.js';
import { AgentGateway } from './agent/agent.gateway.js';
import { DeviceChanges } from './device-changes.js';
import { ActivityGateway } from './viewer/activity.gateway.js';
import { ChatGateway } from './viewer/chat.gateway.js';
import { DesktopsGateway } from './viewer/desktops.gateway.js';
import { DeviceAccess } from './viewer/device-access.js';
import { DeviceCommands } from './viewer/device-commands.js';
import { DeviceVisits } from './viewer/device-visits.js';
import { DeviceWake } from './viewer/device-wake.js';
import { DevicesGateway } from './viewer/devices.gateway.js';
import { FileUpload } from './viewer/file-upload.js';
import { FilesGateway } from './viewer/files.gateway.js';
import { HeartbeatSubscriptions } from './viewer/heartbeat-subscriptions.js';
import { HeartbeatsGateway } from './viewer/heartbeats.gateway.js';
import { RemoteSessions } from './viewer/remote-sessions.js';
import { ServerStatsFeed } from './viewer/server-stats-feed.js';
import { TerminalActivities } from './viewer/terminal-activities.js';
import { TerminalsGateway } from './viewer/terminals.gateway.js';
import { ViewerAccess } from './viewer/viewer-access.js';
import { ViewerCalls } from './viewer/viewer-calls.js';
import { ViewerChats } from './viewer/viewer-chats.js';
import { LocalViewerInbox, ViewerInbox } from './viewer/viewer-inbox.js';
import { ViewerNames } from './viewer/viewer-names.js';
import { ViewerLimits, ViewerPlaces } from './viewer/viewer-places.js';
import { ViewerTerminals } from './viewer/viewer-terminals.js';
import { ViewerGateway } from './viewer/viewer.gateway.js';

@Module({
  imports: [DeviceActivityModule, DevicesModule, DeviceUpdatesModule, RelayModule, ServerModule, UserPreferencesModule, UsersModule],
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
    { provide: ViewerInbox, useClass: LocalViewerInbox },
    ViewerNames,
    ViewerTerminals,
  ],
})
export class HubsModule {}
