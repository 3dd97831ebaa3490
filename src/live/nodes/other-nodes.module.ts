import { Global, Module } from '@nestjs/common';

import { ServerSecrets } from '../../access/authentication/server-secrets/server-secrets.js';
import { DEVICE_NODES } from '../../devices/device-link/at-device-node.js';
import { OTHER_NODES } from '../../devices/device-link/agent-place.js';
import { OTHER_FEEDS } from '../../devices/device-link/device-feed.js';
import { NAMED_NODES } from '../../platform/node/at-named-node.js';
import { LINE_TO_NODES } from '../../platform/node/line-standing.js';
import { AgentUpdatesModule } from '../../devices/agent-updates/agent-updates.module.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { NODES_PROBE } from '../../system/doctor/nodes-probe.js';
import { HUB_HOMES, type HubHomes } from '../hubs/hub-homes.js';
import { UPLOADS_ELSEWHERE } from '../hubs/viewer/files/uploads-elsewhere.js';
import { RELAY_HOMES } from '../relay/relay-homes.js';
import { ConnectionHomesElsewhere } from './bytes/connection-homes-elsewhere.js';
import { Forwarding } from './bytes/forwarding.js';
import { InternalPort } from './bytes/internal-port.js';
import { NodeAddresses } from './bytes/node-addresses.js';
import { NodeRequests } from './bytes/node-requests.js';
import { NodesByName } from './bytes/nodes-by-name.js';
import { NodesOfDevices } from './bytes/nodes-of-devices.js';
import { PassingLimits } from './bytes/passing-limits.js';
import { RelayHomesAtNodes } from './bytes/relay-homes-at-nodes.js';
import { RelayPlaceRepository } from './bytes/relay-place.repository.js';
import { SealedHomes } from './bytes/sealed-homes.js';
import { Splicing } from './bytes/splicing.js';
import { OTHER_VIEWERS } from '../hubs/viewer/other-viewers.js';
import { UploadRoute } from './bytes/upload-route.js';
import { UploadsAtNodes } from './bytes/uploads-at-nodes.js';
import { ChangeSignals } from './viewers/change-signals.js';
import { DeviceDirectory } from './agents/device-directory.js';
import { AccountRoute } from './examination/account-route.js';
import { probeNodes } from './examination/nodes-probe.js';
import { NodesRepository } from './nodes.repository.js';
import { RemoteAgents } from './agents/remote-agents.js';
import { RemoteViewers } from './viewers/remote-viewers.js';
import { ServiceLine } from './service-line.js';
import { ViewerDirectory } from './viewers/viewer-directory.js';

function hubHomes(elsewhere: ConnectionHomesElsewhere, node: ServerNode, secrets: ServerSecrets): HubHomes {
  const owner = {
    secret: secrets.of('HubConnections'),
    databaseTime: () => node.databaseTime(),
    homeAt: (nodeId: string) => elsewhere.at(nodeId),
  };
  return (hub) => new SealedHomes(hub, owner);
}

/** The way to other nodes, as the rooms below know it. */
@Global()
@Module({
  imports: [AgentUpdatesModule, NodeModule],
  providers: [
    AccountRoute,
    ChangeSignals,
    ConnectionHomesElsewhere,
    DeviceDirectory,
    Forwarding,
    InternalPort,
    NodeAddresses,
    NodeRequests,
    NodesByName,
    NodesOfDevices,
    PassingLimits,
    NodesRepository,
    RelayHomesAtNodes,
    RelayPlaceRepository,
    RemoteAgents,
    RemoteViewers,
    ServiceLine,
    Splicing,
    UploadRoute,
    UploadsAtNodes,
    ViewerDirectory,
    { provide: DEVICE_NODES, useExisting: NodesOfDevices },
    { provide: RELAY_HOMES, useExisting: RelayHomesAtNodes },
    { provide: UPLOADS_ELSEWHERE, useExisting: UploadsAtNodes },
    { provide: HUB_HOMES, inject: [ConnectionHomesElsewhere, ServerNode, ServerSecrets], useFactory: hubHomes },
    { provide: LINE_TO_NODES, useExisting: ServiceLine },
    { provide: NAMED_NODES, useExisting: NodesByName },
    { provide: NODES_PROBE, useValue: probeNodes },
    { provide: OTHER_FEEDS, useExisting: ChangeSignals },
    { provide: OTHER_NODES, useExisting: RemoteAgents },
    { provide: OTHER_VIEWERS, useExisting: RemoteViewers },
  ],
  exports: [
    ChangeSignals,
    DEVICE_NODES,
    DeviceDirectory,
    HUB_HOMES,
    LINE_TO_NODES,
    NAMED_NODES,
    NODES_PROBE,
    NodesRepository,
    OTHER_FEEDS,
    OTHER_NODES,
    OTHER_VIEWERS,
    RELAY_HOMES,
    RelayHomesAtNodes,
    RemoteViewers,
    ServiceLine,
    UPLOADS_ELSEWHERE,
  ],
})
export class OtherNodesModule {}
