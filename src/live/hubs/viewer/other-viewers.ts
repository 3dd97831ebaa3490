import type { ChatResponseHubDto, TerminalOutputDto } from '#libs/contracts';

import type { ChatOutcome } from './chat/chat-outcome.js';

/** The injection token of {@link OtherViewers}. A service of one node provides nothing under it. */
export const OTHER_VIEWERS = Symbol('OtherViewers');

/** The viewers that are connected to other nodes, and the places of those of this node, by which others find them. */
export interface OtherViewers {
  /** Makes a viewer of this node known to other nodes, before anything is sent to it. */
  arrived(viewerConnectionId: string): Promise<void>;
  /** Forgets a viewer of this node that has disconnected. */
  left(viewerConnectionId: string): void;
  /** Tells other nodes that a viewer of this one uses a terminal now: the leaving of another one does not close it. Never rejects. */
  tookOver(deviceId: string, terminalId: string): Promise<void>;
  /** As the methods of `ViewerInbox`. */
  output(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<boolean>;
  unread(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<void>;
  chat(viewerConnectionId: string, deviceId: string, response: ChatResponseHubDto): Promise<ChatOutcome>;
}
