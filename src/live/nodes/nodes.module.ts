import { Global, Module, type OnModuleInit } from '@nestjs/common';

import { type HubContext } from '#libs/signalr';
import { InjectHub, SignalRModule } from '#libs/signalr/nest';

import { ServerSecrets } from '../../access/authentication/server-secrets/server-secrets.js';
import { OTHER_NODES } from '../../devices/device-link/agent-place.js';
import { DevicePresence } from '../../devices/device-link/device-presence.js';
import { AGENT_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { HUB_HOMES, type HubHomes } from '../hubs/hub-homes.js';
import { ConnectionHomesElsewhere } from './bytes/connection-homes-elsewhere.js';
import { Forwarding } from './bytes/forwarding.js';
import { InternalPort } from './bytes/internal-port.js';
import { NodeAddresses } from './bytes/node-addresses.js';
import { NodeRequests } from './bytes/node-requests.js';
import { PassingLimits } from './bytes/passing-limits.js';
import { SealedHomes } from './bytes/sealed-homes.js';
import { Splicing } from './bytes/splicing.js';
import { agentCallHandlers } from './agent-calls.js';
import { DeviceDirectory } from './device-directory.js';
import { RemoteAgents } from './remote-agents.js';
import { ServiceLine } from './service-line.js';

function hubHomes(elsewhere: ConnectionHomesElsewhere, node: ServerNode, secrets: ServerSecrets): HubHomes {
  const owner = {
    secret: secrets.of('HubConnections'),
    databaseTime: () => node.databaseTime(),
    homeAt: (nodeId: string) => elsewhere.at(nodeId),
  };
  return (hub) => new SealedHomes(hub, owner);
}

/** This node among others. It is loaded only with `Nodes:Nats`. */
@Global()
@Module({
  imports: [NodeModule, SignalRModule.forHubs(AGENT_HUB_PATH)],
  providers: [
    ConnectionHomesElsewhere,
    DeviceDirectory,
    Forwarding,
    InternalPort,
    NodeAddresses,
    NodeRequests,
    PassingLimits,
    RemoteAgents,
    ServiceLine,
    Splicing,
    { provide: OTHER_NODES, useExisting: RemoteAgents },
    { provide: HUB_HOMES, inject: [ConnectionHomesElsewhere, ServerNode, ServerSecrets], useFactory: hubHomes },
  ],
  exports: [OTHER_NODES],
})
export class NodesModule implements OnModuleInit {
  constructor(
    private readonly line: ServiceLine,
    private readonly presence: DevicePresence,
    @InjectHub(AGENT_HUB_PATH) private readonly agents: HubContext,
  ) {}

  onModuleInit(): void {
    this.line.serve(agentCallHandlers(this.agents, this.presence));
  }
}
