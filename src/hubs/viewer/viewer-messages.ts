import { Injectable } from '@nestjs/common';

import { viewerClient, type ChatResponseHubDto, type TerminalOutputDto } from '#libs/contracts';
import { HubContext, InjectHub, type HubConnection } from '#libs/signalr';

import type { Principal } from '../../authentication/principal.js';
import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import type { AgentConnection } from '../../devices/updates/device-updates.service.js';
import { ConnectedViewer } from './connected-viewer.js';

/**
 * Passes on what agents send to a viewer. An agent reaches only viewers that turned to its device: knowing a connection
 * id is not enough.
 */
@Injectable()
export class ViewerMessages {
  constructor(@InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext) {}

  /** Terminal output for the viewer that uses the terminal; dropped for others. Settles when a slow viewer has caught up. */
  async terminalOutput(agent: AgentConnection, viewerConnectionId: string, output: TerminalOutputDto): Promise<void> {
    const connection = this.viewers.connection(viewerConnectionId) as HubConnection<Principal> | undefined;
    if (connection === undefined || agent.session === undefined) return;
    if (!ConnectedViewer.of(connection).hasTerminal(output.terminalId, agent.session.deviceId)) return;
    connection.send(viewerClient.ReceiveTerminalOutput, [output]);
    if (connection.isCongested) await connection.drained();
  }

  /** No viewer can open a chat session yet, so that there is nobody to answer to. */
  chatResponse(_agent: AgentConnection, _response: ChatResponseHubDto): Promise<boolean> {
    return Promise.resolve(false);
  }
}
