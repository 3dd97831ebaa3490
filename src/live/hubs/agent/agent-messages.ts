import { Injectable, Logger } from '@nestjs/common';

import { agentClient, type ChatResponseHubDto, type TerminalOutputDto } from '#libs/contracts';

import { DeviceLink } from '../../../devices/device-link/device-link.js';
import { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { Turns } from '../../../platform/common/concurrency/turns.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { ViewerInbox } from '../viewer/viewer-inbox.js';
import type { ConnectedAgent } from './connected-agent.js';
import { UnreadTerminals } from './unread-terminals.js';
import { WaitingOutput } from './waiting-output.js';

/**
 * Messages of agents to viewers. An agent speaks for its device only, and only as long as the device is reached through its connection. The
 * {@link ViewerInbox} decides if a viewer takes a message: knowing a connection id is not enough.
 */
@Injectable()
export class AgentMessages {
  private readonly logger = new Logger('AgentHub');
  private readonly turns = new Turns();
  private readonly waiting = new WaitingOutput();
  private readonly unread = new UnreadTerminals();

  constructor(
    private readonly inbox: ViewerInbox,
    private readonly presence: DevicePresence,
    private readonly link: DeviceLink,
    private readonly clock: Clock,
  ) {}

  /**
   * Passes terminal output on to its viewer. The outputs of one terminal keep their order. Settles when a slow viewer has caught up, so
   * that an agent that waits for the answer pauses this terminal and no other. A terminal of an agent that does not wait is closed when too
   * much of its output waits, and so is one whose output no viewer takes for a minute.
   */
  async terminalOutput(agent: ConnectedAgent, viewerConnectionId: string, output: TerminalOutputDto): Promise<void> {
    const deviceId = this.deviceOf(agent);
    if (deviceId === undefined) return;
    const { terminalId } = output;
    const terminal = `${agent.connectionId} ${terminalId}`;
    const way = { agent: agent.connectionId, terminal, viewer: viewerConnectionId };
    if (!this.waiting.hasRoom(way, output.output.length)) {
      // Its text is not shown.
      const close = (): Promise<void> => this.inbox.unread(viewerConnectionId, deviceId, { ...output, output: '' });
      return this.unread.close(agent.connectionId, terminalId, close);
    }
    const settled = this.waiting.add(way, output.output.length);
    try {
      const isDelivered = await this.turns.take(terminal, () => this.inbox.output(viewerConnectionId, deviceId, output));
      if (isDelivered) agent.orphanedTerminals.delivered(terminalId);
      else this.lost(agent, terminalId);
    } finally {
      settled();
    }
  }

  /** Passes the answer of the person at the device on. True when the viewer took it. A conversation without a viewer is closed. */
  async chatResponse(agent: ConnectedAgent, response: ChatResponseHubDto): Promise<boolean> {
    const deviceId = this.deviceOf(agent);
    if (deviceId === undefined) return false;
    const { sessionId, desktopSessionProcessId, viewerConnectionId } = response;
    try {
      const outcome = await this.inbox.chat(viewerConnectionId, deviceId, response);
      if (outcome === 'nobody') {
        this.link.sendThrough(agent.connectionId, agentClient.CloseChatSession, sessionId, desktopSessionProcessId);
      }
      return outcome === 'taken';
    } catch (error) {
      const { connectionId } = agent;
      this.logger.warn({ message: 'An answer in a chat did not reach its viewer.', deviceId, connectionId, error: messageOf(error) });
      return false;
    }
  }

  /** The device that the agent speaks for at present. */
  private deviceOf({ session, connectionId }: ConnectedAgent): string | undefined {
    if (session === undefined) return undefined;
    const { deviceId } = session;
    return this.presence.connectionOf(deviceId) === connectionId ? deviceId : undefined;
  }

  /** Notes output that reached no viewer. Closes the terminal when this has lasted too long. */
  private lost(agent: ConnectedAgent, terminalId: string): void {
    if (!agent.orphanedTerminals.dropped(terminalId, this.clock.milliseconds())) return;
    this.link.sendThrough(agent.connectionId, agentClient.CloseTerminalSession, terminalId);
  }
}
