import { Global, Module, type OnModuleInit } from '@nestjs/common';

import { type HubContext } from '#libs/signalr';
import { InjectHub, SignalRModule } from '#libs/signalr/nest';

import { OTHER_NODES } from '../../devices/device-link/agent-place.js';
import { DevicePresence } from '../../devices/device-link/device-presence.js';
import { AGENT_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { agentCallHandlers } from './agent-calls.js';
import { DeviceDirectory } from './device-directory.js';
import { RemoteAgents } from './remote-agents.js';
import { ServiceLine } from './service-line.js';

/** This node among others. It is loaded only with `Nodes:Nats`. */
@Global()
@Module({
  imports: [NodeModule, SignalRModule.forHubs(AGENT_HUB_PATH)],
  providers: [DeviceDirectory, RemoteAgents, ServiceLine, { provide: OTHER_NODES, useExisting: RemoteAgents }],
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
