import { DesktopStreamError, encodeMessage, messages, MessageSeverity } from '#libs/desktop-stream';

import { Permission, type PermissionDefinition } from '../../../access/authorization/permissions/permission.js';
import { CloseCode, ProtocolViolation } from '../pipe/frames.js';
import type { PieceSink, RelaySocket } from '../pipe/relay-socket.js';
import { AgentGate } from './agent-gate.js';
import type { Room } from './held-message.js';
import { InsertedMessages } from './inserted-messages.js';
import { MessageOutlet } from './message-outlet.js';
import { FREE, type MessageRight } from './message-rights.js';
import { PressedInput } from './pressed-input.js';
import type { SessionRights } from './session-rights.js';
import { ViewerGate } from './viewer-gate.js';

const NAMES = new Map<number, string>(Object.entries(messages).map(([name, { type }]) => [type, name]));

/** The message for the viewer when a permission is missing or has ended. */
const SENTENCES = new Map<PermissionDefinition, string>([
  [Permission.DeviceRemoteControlInteract, 'You can see this desktop, but not control it.'],
  [Permission.DeviceClipboardRead, "You can't read the clipboard of this device."],
  [Permission.DeviceClipboardWrite, "You can't write to the clipboard of this device."],
  [Permission.DeviceRemoteControlBlockInput, "You can't block the input or blank the screen of this device."],
]);

/** Counts a message that did not go on. */
export type CountDropped = (message: string, from: 'viewer' | 'agent') => void;

/**
 * The two gates of a remote control session: between them nothing passes that the viewer has no right to. Messages that do not pass are
 * acknowledged to their sender, so that it does not wait for them.
 */
export class RemoteControlGates {
  readonly fromViewer: PieceSink;
  readonly fromAgent: PieceSink;
  private readonly toViewer: MessageOutlet;
  private readonly toAgent: MessageOutlet;
  private readonly forViewer = new InsertedMessages();
  private readonly forAgent = new InsertedMessages();
  private readonly input = new PressedInput();
  private readonly told = new Set<PermissionDefinition>();
  private readonly gates: readonly (ViewerGate | AgentGate)[];

  constructor(
    requester: Pick<RelaySocket, 'writer'>,
    responder: Pick<RelaySocket, 'writer'>,
    rights: SessionRights,
    private readonly countDropped: CountDropped,
    room: Room,
  ) {
    this.toViewer = new MessageOutlet(requester.writer);
    this.toAgent = new MessageOutlet(responder.writer);
    const viewerGate = new ViewerGate(this.toAgent, rights, this.viewerEvents(), room);
    const agentGate = new AgentGate(this.toViewer, rights, this.agentEvents(), room);
    this.fromViewer = viewerGate;
    this.fromAgent = agentGate;
    this.gates = [viewerGate, agentGate];
    rights.whenLost((permission) => this.lost(permission));
  }

  /**
   * Releases the keys and buttons that are down, tells the viewer a sentence if there is one, and gives back what is held. For the end of
   * the session, before its sockets close.
   */
  end(sentence?: string): void {
    this.releaseInput();
    if (sentence !== undefined) {
      this.toViewer.insert(this.forViewer.encode('RemoteControlSessionError', { message: sentence, isFatal: true }));
    }
    for (const gate of this.gates) gate.end();
  }

  private viewerEvents(): ConstructorParameters<typeof ViewerGate>[2] {
    return {
      takes: (type, message) => readable(() => this.forViewer.takes(type, message)),
      passed: (type, message) => readable(() => this.input.note(type, message)),
      dropped: (type, right, { size, sentAt }) => {
        this.countDropped(NAMES.get(type) ?? 'unknown', 'viewer');
        this.toViewer.insert(acknowledgement(size, sentAt));
        if (right !== undefined) this.tell(right);
      },
    };
  }

  private agentEvents(): ConstructorParameters<typeof AgentGate>[2] {
    const { forAgent } = this;
    return {
      get isAwaiting() {
        return forAgent.isAwaiting;
      },
      takes: (type, message) => readable(() => forAgent.takes(type, message)),
      withheld: ({ size, sentAt }) => {
        this.countDropped('ClipboardText', 'agent');
        this.toAgent.insert(acknowledgement(size, sentAt));
      },
    };
  }

  private lost(permission: PermissionDefinition): void {
    if (permission === Permission.DeviceRemoteControlInteract) this.releaseInput();
    this.told.delete(permission);
    this.tell(permission);
  }

  /** Tells the viewer once that it lacks a right. */
  private tell(right: MessageRight): void {
    if (right === FREE || this.told.has(right)) return;
    this.told.add(right);
    const message = SENTENCES.get(right);
    if (message === undefined) return;
    this.toViewer.insert(this.forViewer.encode('ToastNotification', { message, severity: MessageSeverity.Warning }));
  }

  private releaseInput(): void {
    for (const { name, value } of this.input.release()) this.toAgent.insert(this.forAgent.encode(name, value));
  }
}

function acknowledgement(receivedSize: number, sendTimestamp: bigint): Uint8Array {
  return encodeMessage('Ack', { receivedSize, sendTimestamp }, 0n);
}

/** Runs what reads a payload. @throws ProtocolViolation when it cannot be read */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DesktopStreamError)) throw error;
    throw new ProtocolViolation('The relay cannot read a message of the session.', CloseCode.InvalidPayload);
  }
}
