import { MAX_TEXT_MESSAGE_BYTES, messages, readStrict, readType, timeOf } from '#libs/desktop-stream';

import { CloseCode, ProtocolViolation } from '../pipe/frames.js';
import type { PieceSink } from '../pipe/relay-socket.js';
import { HeldMessage, type Room } from './held-message.js';
import type { MessageOutlet } from './message-outlet.js';
import { agentMessageRights } from './message-rights.js';
import type { SessionRights } from './session-rights.js';

/** Bytes that tell the type of a message: the widest map, the key, the type. */
const HEAD_BYTES = 14;
/** Most bytes of an acknowledgement. */
const MAXIMUM_ACK_BYTES = 1_024;

/** Takes what a gate finds in the messages of an agent. */
export interface AgentGateEvents {
  /** True while acknowledgements have to be looked at. */
  readonly isAwaiting: boolean;
  /** True if the message is for the relay alone. */
  takes(type: number, message: Buffer): boolean;
  /** The clipboard's text does not go on: the viewer may not read it. */
  withheld(received: { readonly size: number; readonly sentAt: bigint }): void;
}

/** The stage of the message that is being read. */
enum Stage {
  /** Its type is not known yet. */
  Head,
  /** It goes on as it comes. */
  Passing,
  /** It is kept until it is complete. */
  Held,
}

/** Passes the messages of an agent on, piece by piece, except the clipboard's text if the viewer may not read it. */
export class AgentGate implements PieceSink {
  private readonly held: HeldMessage;
  private stage = Stage.Passing;
  private type: number | null = null;

  constructor(
    private readonly outlet: MessageOutlet,
    private readonly rights: SessionRights,
    private readonly events: AgentGateEvents,
    room: Room,
  ) {
    this.held = new HeldMessage(room);
  }

  piece(bytes: Buffer, start: number, end: number, isFirst: boolean, isLast: boolean): void {
    if (isFirst) this.stage = this.mustLook ? Stage.Head : Stage.Passing;
    if (this.stage === Stage.Passing) return this.outlet.piece(start, end, isLast);
    if (this.stage === Stage.Head && this.held.isEmpty && this.knowsType(bytes.subarray(start, end), isLast)) {
      this.stage = this.stageOf(this.type);
      if (this.stage === Stage.Passing) return this.outlet.piece(start, end, isLast);
    }
    this.hold(bytes, start, end, isLast);
  }

  /** Gives back what is held. */
  end(): void {
    this.held.clear();
  }

  private get mayReadClipboard(): boolean {
    return this.rights.has(agentMessageRights.ClipboardText);
  }

  private get mustLook(): boolean {
    return !this.mayReadClipboard || this.events.isAwaiting;
  }

  private hold(bytes: Buffer, start: number, end: number, isLast: boolean): void {
    const { held } = this;
    held.add(bytes, start, end);
    if (this.stage === Stage.Head && this.knowsType(held.bytes, isLast)) this.stage = this.stageOf(this.type);
    if (this.stage === Stage.Passing) {
      this.outlet.held(held.bytes, isLast);
      return held.clear();
    }
    if (held.bytes.length > (this.type === messages.Ack.type ? MAXIMUM_ACK_BYTES : MAX_TEXT_MESSAGE_BYTES)) {
      throw new ProtocolViolation('A message of the agent is too long.', CloseCode.TooBig);
    }
    if (!isLast) return;
    this.judge(held.bytes);
    held.clear();
  }

  private judge(message: Buffer): void {
    if (message.length === 0) return;
    if (this.type === messages.Ack.type) {
      if (!this.events.takes(this.type, message)) this.outlet.held(message, true);
      return;
    }
    const strict = readStrict(message);
    if (strict === null) throw unreadable();
    this.events.withheld({ size: message.length, sentAt: timeOf(message, strict) });
  }

  /** Reads the type, if enough of the message has come. */
  private knowsType(head: Buffer, isLast: boolean): boolean {
    if (head.length < HEAD_BYTES && !isLast) return false;
    this.type = readType(head);
    return true;
  }

  private stageOf(type: number | null): Stage {
    if (type === messages.Ack.type) return this.events.isAwaiting ? Stage.Held : Stage.Passing;
    if (this.mayReadClipboard) return Stage.Passing;
    if (type === null) throw unreadable();
    return type === messages.ClipboardText.type ? Stage.Held : Stage.Passing;
  }
}

function unreadable(): ProtocolViolation {
  return new ProtocolViolation('The relay cannot read a message of the agent.', CloseCode.InvalidPayload);
}
