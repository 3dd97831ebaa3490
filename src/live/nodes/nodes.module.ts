import { Module, type OnModuleInit } from '@nestjs/common';

import { type HubContext } from '#libs/signalr';
import { InjectHub, SignalRModule } from '#libs/signalr/nest';

import { DevicePresence } from '../../devices/device-link/device-presence.js';
import { DeviceUpdatesModule } from '../../devices/devices/updates/device-updates.module.js';
import { AGENT_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { HubsModule } from '../hubs/hubs.module.js';
import { ViewerTerminals } from '../hubs/viewer/terminals/viewer-terminals.js';
import { LocalViewerInbox } from '../hubs/viewer/viewer-inbox.js';
import { RelayPairing } from '../relay/relay-pairing.js';
import { RelayModule } from '../relay/relay.module.js';
import { agentCallHandlers } from './agents/agent-calls.js';
import { DeviceDirectory } from './agents/device-directory.js';
import { BalanceBounds } from './balance/balance-bounds.js';
import { MovableAgents } from './balance/movable-agents.js';
import { Rebalancing } from './balance/rebalancing.js';
import { RelayHomesAtNodes } from './bytes/relay-homes-at-nodes.js';
import { ConnectionRoom } from './connection-room.js';
import { RemoteViewers } from './viewers/remote-viewers.js';
import { Repair } from './repair.js';
import { ServiceLine } from './service-line.js';
import { ShownChanges } from './viewers/shown-changes.js';
import { viewerCallHandlers } from './viewers/viewer-calls.js';
import { OtherNodesModule } from './other-nodes.module.js';

/** This node among others: what it asks of them, and what it serves for them. It is loaded only with `Nodes:Nats`. */
@Module({
  imports: [DeviceUpdatesModule, HubsModule, NodeModule, OtherNodesModule, RelayModule, SignalRModule.forHubs(AGENT_HUB_PATH)],
  providers: [BalanceBounds, ConnectionRoom, MovableAgents, Rebalancing, Repair, ShownChanges],
})
export class NodesModule implements OnModuleInit {
  constructor(
    private readonly line: ServiceLine,
    private readonly presence: DevicePresence,
    private readonly directory: DeviceDirectory,
    private readonly viewers: LocalViewerInbox,
    private readonly terminals: ViewerTerminals,
    private readonly remote: RemoteViewers,
    private readonly pairing: RelayPairing,
    private readonly relayHomes: RelayHomesAtNodes,
    @InjectHub(AGENT_HUB_PATH) private readonly agents: HubContext,
  ) {}

  onModuleInit(): void {
    this.line.serve({
      HandOver: async ([session, nodeId]) => this.pairing.handOver(String(session), this.relayHomes.at(String(nodeId))),
      ...agentCallHandlers(this.agents, this.presence, this.directory),
      ...viewerCallHandlers(this.viewers, this.terminals, this.remote.repeated),
    });
  }
}
