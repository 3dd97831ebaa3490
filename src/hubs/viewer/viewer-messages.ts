import { Injectable } from '@nestjs/common';

import { viewerClient, type ChatResponseHubDto, type TerminalOutputDto } from '#libs/contracts';
import { HubContext, InjectHub, type HubConnection } from '#libs/signalr';

import type { Principal } from '../../authentication/principal.js';
import { Permission } from '../../authorization/permission.js';
import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import type { AgentConnection } from '../../devices/updates/device-updates.service.js';
import { ConnectedViewer } from './connected-viewer.js';
import { ViewerAccess } from './viewer-access.js';

/**
 * Passes on what agents send to a viewer. An agent reaches only viewers that turned to its device: knowing a connection
 * id is not enough.
 */
@Injectable()
export class ViewerMessages {
  constructor(
    @InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext,
    private readonly access: ViewerAccess,
    private readonly presence: DevicePresence,
  ) {}

  /**
   * Terminal output for the viewer that uses the terminal; dropped for others, and for one that has lost the right since.
   * Settles when a slow viewer has caught up.
   */
  async terminalOutput(agent: AgentConnection, viewerConnectionId: string, output: TerminalOutputDto): Promise<void> {
    const connection = this.viewers.connection(viewerConnectionId) as HubConnection<Principal> | undefined;
    if (connection === undefined || agent.session === undefined) return;
    const { deviceId } = agent.session;
    if (this.presence.connectionOf(deviceId) !== agent.connectionId) return;
    const viewer = ConnectedViewer.of(connection);
    if (!viewer.hasTerminal(output.terminalId, deviceId)) return;
    if (!(await this.access.reaches(viewer, Permission.DeviceTerminalUse, deviceId))) return;
    connection.send(viewerClient.ReceiveTerminalOutput, [output]);
    if (connection.isCongested) await connection.drained();
  }

  /** No viewer can open a chat session yet, so that there is nobody to answer to. */
  chatResponse(_agent: AgentConnection, _response: ChatResponseHubDto): Promise<boolean> {
    return Promise.resolve(false);
  }
}
