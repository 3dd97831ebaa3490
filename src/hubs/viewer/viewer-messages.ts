import { Injectable } from '@nestjs/common';

import { agentClient, viewerClient, type ChatResponseHubDto, type TerminalOutputDto } from '#libs/contracts';
import { HubContext, InjectHub } from '#libs/signalr';

import { Clock } from '../../common/clock.js';
import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { Turns } from '../../common/turns.js';
import { DeviceLink } from '../../device-link/device-link.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import type { ConnectedAgent } from '../agent/connected-agent.js';
import { ConnectedViewer, type Terminal } from './connected-viewer.js';
import { TerminalActivities } from './terminal-activities.js';
import { ViewerAccess } from './viewer-access.js';
import { TERMINAL_PERMISSION, ViewerTerminals } from './viewer-terminals.js';

/**
 * Most characters of a terminal's output that may wait for its viewer to read. Agents that send an output only after the one before was
 * answered have one waiting. Others have this much room, which is fifty of their outputs.
 */
const MAXIMUM_WAITING_OUTPUT = 1_048_576;
/** The same for all terminals of a viewer together, so that no viewer can fill the memory. */
const MAXIMUM_WAITING_OUTPUT_OF_VIEWER = 8 * MAXIMUM_WAITING_OUTPUT;
const NOT_READ = '\r\n[The terminal was closed: its output was not read.]\r\n';

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
    private readonly terminals: ViewerTerminals,
    private readonly presence: DevicePresence,
    private readonly link: DeviceLink,
    private readonly clock: Clock,
    private readonly activities: TerminalActivities,
  ) {}

  /**
   * Passes terminal output on to the viewer that uses the terminal and holds the permission; drops it otherwise. A terminal whose
   * output is dropped for a minute is closed. The outputs of one terminal keep their order, however long it takes to look up the
   * right. Settles when a slow viewer has caught up, so that an agent that waits for the answer pauses this terminal and no other. A
   * terminal of an agent that does not wait is closed when too much of its output waits.
   */
  async terminalOutput(agent: ConnectedAgent, viewerConnectionId: string, output: TerminalOutputDto): Promise<void> {
    if (agent.session === undefined) return;
    const { deviceId } = agent.session;
    if (this.presence.connectionOf(deviceId) !== agent.connectionId) return;
    const reader = this.readerOf(deviceId, output.terminalId, viewerConnectionId);
    if (reader === undefined) return this.lost(agent, deviceId, output);
    const { viewer, terminal } = reader;
    const { length } = output.output;
    if (
      terminal.waitingOutput + length > MAXIMUM_WAITING_OUTPUT ||
      (viewer.connection.isCongested && viewer.waitingOutput + length > MAXIMUM_WAITING_OUTPUT_OF_VIEWER)
    ) {
      this.terminals.close(viewer, terminal);
      viewer.connection.send(viewerClient.ReceiveTerminalOutput, [{ ...output, output: NOT_READ }]);
      return;
    }
    terminal.waitingOutput += length;
    try {
      await this.turns.take(`${agent.connectionId} ${output.terminalId}`, () => this.passOn(agent, reader, output));
    } finally {
      terminal.waitingOutput -= length;
    }
  }

  private async passOn(agent: ConnectedAgent, { viewer, terminal }: Reader, output: TerminalOutputDto): Promise<void> {
    const { deviceId, terminalId } = terminal;
    const { connection } = viewer;
    const isWanted =
      viewer.terminal(deviceId, terminalId) === terminal && (await this.access.reaches(viewer, TERMINAL_PERMISSION, deviceId));
    if (!isWanted || !connection.isOpen) return this.lost(agent, deviceId, output);
    agent.unheardTerminals.heard(terminalId);
    connection.send(viewerClient.ReceiveTerminalOutput, [output]);
    this.activities.printed(viewer, deviceId, terminalId, output.output);
    if (connection.isCongested) await connection.drained();
  }

  /** Output reaches nobody. */
  private lost(agent: ConnectedAgent, deviceId: string, { terminalId }: TerminalOutputDto): void {
    if (!agent.unheardTerminals.lost(terminalId, this.clock.milliseconds())) return;
    this.link.send(deviceId, agentClient.CloseTerminalSession, terminalId);
  }

  /** The viewer with that connection, if it uses that terminal. */
  private readerOf(deviceId: string, terminalId: string, viewerConnectionId: string): Reader | undefined {
    const connection = this.viewers.connection(viewerConnectionId);
    if (connection === undefined) return undefined;
    const viewer = ConnectedViewer.of(connection);
    const terminal = viewer.terminal(deviceId, terminalId);
    return terminal === undefined ? undefined : { viewer, terminal };
  }

  /** Whether a viewer accepted the answer. Viewers cannot chat yet. */
  chatResponse(_agent: ConnectedAgent, _response: ChatResponseHubDto): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** Who reads an output. */
interface Reader {
  readonly viewer: ConnectedViewer;
  readonly terminal: Terminal;
}
