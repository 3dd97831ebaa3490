import { Injectable } from '@nestjs/common';

import { agentClient, viewerClient, viewerHub, type ChatResponseHubDto, type TerminalOutputDto } from '#libs/contracts';
import { HubContext, InjectHub, type HubConnection } from '#libs/signalr';

import type { Principal } from '../../authentication/principal.js';
import { devicePermission } from '../../authorization/permission.js';
import { Clock } from '../../common/clock.js';
import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { Turns } from '../../common/turns.js';
import { DeviceLink } from '../../device-link/device-link.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import type { ConnectedAgent } from '../agent/connected-agent.js';
import { ConnectedViewer } from './connected-viewer.js';
import { TerminalActivities } from './terminal-activities.js';
import { ViewerAccess } from './viewer-access.js';

/** The permission on a device that output of its terminals requires. */
const TERMINAL_PERMISSION = devicePermission(viewerHub.CreateTerminalSession2.access.permission);

/**
 * Passes messages from agents on to viewers. An agent reaches only viewers that use a terminal of its device: knowing a
 * connection id is not enough.
 */
@Injectable()
export class ViewerMessages {
  private readonly turns = new Turns();

  constructor(
    @InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext,
    private readonly access: ViewerAccess,
    private readonly presence: DevicePresence,
    private readonly link: DeviceLink,
    private readonly clock: Clock,
    private readonly activities: TerminalActivities,
  ) {}

  /**
   * Passes terminal output on to the viewer that uses the terminal and holds the permission; drops it otherwise. A terminal whose
   * output is dropped for a minute is closed. The outputs of one terminal keep their order, however long it takes to look up the
   * right. Settles when a slow viewer has caught up.
   */
  terminalOutput(agent: ConnectedAgent, viewerConnectionId: string, output: TerminalOutputDto): Promise<void> {
    return this.turns.take(`${agent.connectionId} ${output.terminalId}`, () => this.passOn(agent, viewerConnectionId, output));
  }

  private async passOn(agent: ConnectedAgent, viewerConnectionId: string, output: TerminalOutputDto): Promise<void> {
    if (agent.session === undefined) return;
    const { deviceId } = agent.session;
    if (this.presence.connectionOf(deviceId) !== agent.connectionId) return;
    const { terminalId } = output;
    const reader = await this.readerOf(deviceId, terminalId, viewerConnectionId);
    if (reader === undefined) {
      if (agent.unheardTerminals.lost(terminalId, this.clock.milliseconds())) {
        this.link.send(deviceId, agentClient.CloseTerminalSession, terminalId);
      }
      return;
    }
    agent.unheardTerminals.heard(terminalId);
    reader.send(viewerClient.ReceiveTerminalOutput, [output]);
    this.activities.printed(ConnectedViewer.of(reader), deviceId, terminalId, output.output);
    if (reader.isCongested) await reader.drained();
  }

  /** The connection of the viewer, if it uses that terminal and holds the permission. */
  private async readerOf(deviceId: string, terminalId: string, viewerConnectionId: string): Promise<HubConnection<Principal> | undefined> {
    const connection = this.viewers.connection(viewerConnectionId) as HubConnection<Principal> | undefined;
    if (connection === undefined || !ConnectedViewer.of(connection).hasTerminal(terminalId, deviceId)) return undefined;
    return (await this.access.reaches(ConnectedViewer.of(connection), TERMINAL_PERMISSION, deviceId)) ? connection : undefined;
  }

  /** Whether a viewer accepted the answer. Viewers cannot chat yet. */
  chatResponse(_agent: ConnectedAgent, _response: ChatResponseHubDto): Promise<boolean> {
    return Promise.resolve(false);
  }
}
