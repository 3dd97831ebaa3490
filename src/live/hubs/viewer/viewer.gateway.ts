import { WebSocketGateway } from '@nestjs/websockets';

import type { HubConnection } from '#libs/signalr';

import type { Principal } from '../../../access/authentication/principal.js';
import { StandingRights } from '../../../access/authorization/standing-rights.js';
import { UserPresence } from '../../../people/users/user-presence.js';
import { VIEWER_HUB_PATH } from '../../../platform/common/hub-paths.js';
import { ConnectedViewer } from './connected-viewer.js';
import { DeviceVisits } from './device-visits.js';
import { HeartbeatSubscriptions } from './heartbeat-subscriptions.js';
import { ServerStatsFeed } from './server-stats-feed.js';
import { ViewerChats } from './viewer-chats.js';
import { ViewerPlaces } from './viewer-places.js';
import { ViewerTerminals } from './viewer-terminals.js';

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
  }
}
