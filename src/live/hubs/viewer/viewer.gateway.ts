import { Inject, Optional } from '@nestjs/common';
import { WebSocketGateway } from '@nestjs/websockets';

import type { HubConnection } from '#libs/signalr';

import type { Principal } from '../../../access/authentication/principals/principal.js';
import { StandingRights } from '../../../access/authorization/revocation/standing-rights.js';
import { UserPresence } from '../../../people/users/user-presence.js';
import { VIEWER_HUB_PATH } from '../../../platform/common/addresses/hub-paths.js';
import { DeviceVisits } from './activity/device-visits.js';
import { ViewerChats } from './chat/viewer-chats.js';
import { ConnectedViewer } from './connections/connected-viewer.js';
import { ViewerPlaces } from './connections/viewer-places.js';
import { HeartbeatSubscriptions } from './monitoring/heartbeat-subscriptions.js';
import { ServerStatsFeed } from './monitoring/server-stats-feed.js';
import { OTHER_VIEWERS, type OtherViewers } from './other-viewers.js';
import { ViewerTerminals } from './terminals/viewer-terminals.js';

/** Viewers that connect and disconnect. The other gateways of this folder have the methods that they call. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class ViewerGateway {
  constructor(
    private readonly heartbeats: HeartbeatSubscriptions,
    private readonly presence: UserPresence,
    private readonly stats: ServerStatsFeed,
    private readonly rights: StandingRights,
    private readonly terminals: ViewerTerminals,
    private readonly chats: ViewerChats,
    private readonly visits: DeviceVisits,
    private readonly places: ViewerPlaces,
    @Optional() @Inject(OTHER_VIEWERS) private readonly others?: OtherViewers,
  ) {}

  onConnected(connection: HubConnection<Principal>): void {
    this.places.take(connection.user);
    if (connection.user.type === 'User') this.presence.arrived(connection.user.id);
    this.stats.arrived(ConnectedViewer.of(connection));
    this.rights.hold(ConnectedViewer.of(connection).signIn);
  }

  onDisconnected(connection: HubConnection<Principal>): void {
    this.places.give(connection.user);
    if (connection.user.type === 'User') this.presence.left(connection.user.id);
    this.heartbeats.forgetViewer(ConnectedViewer.of(connection));
    this.terminals.closeAll(ConnectedViewer.of(connection));
    this.chats.closeAll(ConnectedViewer.of(connection));
    this.visits.end(ConnectedViewer.of(connection));
    this.stats.left(ConnectedViewer.of(connection));
    this.rights.release(ConnectedViewer.of(connection).signIn);
    this.others?.left(connection.connectionId);
  }
}
