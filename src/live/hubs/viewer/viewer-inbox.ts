import { Injectable } from '@nestjs/common';

import { viewerClient, type ChatResponseHubDto, type TerminalOutputDto } from '#libs/contracts';
import type { HubContext } from '#libs/signalr';
import { InjectHub } from '#libs/signalr/nest';

import { VIEWER_HUB_PATH } from '../../../platform/common/addresses/hub-paths.js';
import type { ChatOutcome } from './chat/chat-outcome.js';
import { CHAT_PERMISSION, ViewerChats } from './chat/viewer-chats.js';
import { ConnectedViewer } from './connections/connected-viewer.js';
import { ViewerAccess } from './connections/viewer-access.js';
import type { OtherViewers } from './other-viewers.js';
import { TerminalActivities } from './terminals/terminal-activities.js';
import { TERMINAL_PERMISSION, ViewerTerminals } from './terminals/viewer-terminals.js';
import { throughOutage } from './through-outage.js';

const NOT_READ = '\r\n[The terminal was closed: its output was not read.]\r\n';

/** Passes messages of devices to a viewer on any node. Devices name it by its connection id. */
export abstract class ViewerInbox {
  /** Passes terminal output on. Returns true if the viewer wants it, once its socket has drained. */
  abstract output(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<boolean>;
  /** Too much output of the terminal waits for the viewer: closes the terminal and tells the viewer. */
  abstract unread(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<void>;
  /** Passes an answer in a chat on. Rejects when the viewer does not confirm or decline it. */
  abstract chat(viewerConnectionId: string, deviceId: string, response: ChatResponseHubDto): Promise<ChatOutcome>;
}

/** The inbox of the viewers of this process. A viewer hears of terminals and conversations that it uses and has the permission for. */
@Injectable()
export class LocalViewerInbox extends ViewerInbox {
  constructor(
    @InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext,
    private readonly access: ViewerAccess,
    private readonly terminals: ViewerTerminals,
    private readonly chats: ViewerChats,
    private readonly activities: TerminalActivities,
  ) {
    super();
  }

  async output(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<boolean> {
    const { terminalId } = output;
    const viewer = this.viewerOf(viewerConnectionId);
    const terminal = viewer?.terminal(deviceId, terminalId);
    if (viewer === undefined || terminal === undefined) return false;
    const { connection } = viewer;
    // While the database is away nobody loses or gets a right. The output waits, and so does the program that prints it.
    const isAllowed = await throughOutage(
      () => this.access.reaches(viewer, TERMINAL_PERMISSION, deviceId),
      () => connection.isOpen,
    );
    if (!isAllowed) return false;
    // All terminals of a viewer that reads on have room at the same moment: each looks again, so that together they do not send too much.
    while (connection.isOpen && connection.isCongested) await connection.drained();
    // It may have closed the terminal or disconnected by now.
    if (viewer.terminal(deviceId, terminalId) !== terminal || !connection.isOpen) return false;
    connection.send(viewerClient.ReceiveTerminalOutput, [output]);
    this.activities.printed(viewer, deviceId, terminalId, output.output);
    if (connection.isCongested) await connection.drained();
    return true;
  }

  async unread(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<void> {
    const viewer = this.viewerOf(viewerConnectionId);
    const terminal = viewer?.terminal(deviceId, output.terminalId);
    if (viewer === undefined || terminal === undefined) return;
    this.terminals.close(viewer, terminal);
    viewer.connection.send(viewerClient.ReceiveTerminalOutput, [{ ...output, output: NOT_READ }]);
  }

  async chat(viewerConnectionId: string, deviceId: string, response: ChatResponseHubDto): Promise<ChatOutcome> {
    const viewer = this.viewerOf(viewerConnectionId);
    if (viewer === undefined || !this.chats.has(viewer, deviceId, response.sessionId)) return 'nobody';
    if (!(await this.access.reaches(viewer, CHAT_PERMISSION, deviceId))) return 'nobody';
    const isTaken = await this.viewers.client(viewerConnectionId).invoke(viewerClient.ReceiveChatResponse, [response]);
    return isTaken ? 'taken' : 'declined';
  }

  /** True if the viewer is connected to this process. */
  has(viewerConnectionId: string): boolean {
    return this.viewers.connection(viewerConnectionId) !== undefined;
  }

  private viewerOf(connectionId: string): ConnectedViewer | undefined {
    const connection = this.viewers.connection(connectionId);
    return connection === undefined ? undefined : ConnectedViewer.of(connection);
  }
}

/** The inbox of viewers on any node. */
class InboxOfNodes extends ViewerInbox {
  constructor(
    private readonly here: LocalViewerInbox,
    private readonly others: OtherViewers,
  ) {
    super();
  }

  output(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<boolean> {
    return this.of(viewerConnectionId).output(viewerConnectionId, deviceId, output);
  }

  unread(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<void> {
    return this.of(viewerConnectionId).unread(viewerConnectionId, deviceId, output);
  }

  chat(viewerConnectionId: string, deviceId: string, response: ChatResponseHubDto): Promise<ChatOutcome> {
    return this.of(viewerConnectionId).chat(viewerConnectionId, deviceId, response);
  }

  private of(viewerConnectionId: string): LocalViewerInbox | OtherViewers {
    return this.here.has(viewerConnectionId) ? this.here : this.others;
  }
}

/** The inbox of a service of one node, or of several. */
export function inboxOf(here: LocalViewerInbox, others?: OtherViewers): ViewerInbox {
  return others === undefined ? here : new InboxOfNodes(here, others);
}
