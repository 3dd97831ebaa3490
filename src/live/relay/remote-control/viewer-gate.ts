import {
  MAX_TEXT_MESSAGE_BYTES,
  MAX_VIEWER_MESSAGE_BYTES,
  messages,
  readStrict,
  readType,
  timeOf,
  type StrictMessage,
} from '#libs/desktop-stream';

import { CloseCode, ProtocolViolation } from '../pipe/frames.js';
import type { PieceSink } from '../pipe/relay-socket.js';
import { HeldMessage, type Room } from './held-message.js';
import type { MessageOutlet } from './message-outlet.js';
import { FREE, rightToSend, type MessageRight } from './message-rights.js';
import type { SessionRights } from './session-rights.js';

const TEXTS: ReadonlySet<number | null> = new Set([messages.ClipboardText.type, messages.TypeText.type]);

/** Takes what a gate finds in the messages of a viewer. */
export interface ViewerGateEvents {
  /** True if the message is for the relay alone. */
  takes(type: number, message: Buffer): boolean;
  /** The message goes on to the agent. */
  passed(type: number, message: Buffer): void;
  /** The message does not go on: the viewer lacks the right, or there is none to it. */
  dropped(type: number, right: MessageRight | undefined, received: { readonly size: number; readonly sentAt: bigint }): void;
}

/**
 * Passes the messages of a viewer on that it has a right to. Each is read whole, and goes on in one strict form only: in every other one
 * the agent could read another message than the relay.
 */
export class ViewerGate implements PieceSink {
  private readonly held: HeldMessage;

  constructor(
    private readonly outlet: MessageOutlet,
    private readonly rights: SessionRights,
    private readonly events: ViewerGateEvents,
    room: Room,
  ) {
    this.held = new HeldMessage(room);
  }

  piece(bytes: Buffer, start: number, end: number, isFirst: boolean, isLast: boolean): void {
    if (isFirst && isLast) {
      const message = bytes.subarray(start, end);
      requireLength(message, message.length);
      if (this.mayPass(message)) this.outlet.piece(start, end, true);
      return;
    }
    const { held } = this;
    held.add(bytes, start, end);
    requireLength(held.bytes, held.bytes.length);
    if (!isLast) return;
    if (this.mayPass(held.bytes)) this.outlet.held(held.bytes, true);
    held.clear();
  }

  /** Gives back what is held. */
  end(): void {
    this.held.clear();
  }

  private mayPass(message: Buffer): boolean {
    if (message.length === 0) return false;
    const strict = readStrict(message);
    if (strict === null) throw new ProtocolViolation('The relay cannot read a message of the viewer.', CloseCode.InvalidPayload);
    const { type } = strict;
    const right = rightToSend(type);
    if (!this.isHeld(right)) {
      this.events.dropped(type, right, received(message, strict));
      return false;
    }
    if (this.events.takes(type, message)) return false;
    this.events.passed(type, message);
    return true;
  }

  private isHeld(right: MessageRight | undefined): boolean {
    return right !== undefined && (right === FREE || this.rights.has(right));
  }
}

function received(message: Buffer, strict: StrictMessage): { readonly size: number; readonly sentAt: bigint } {
  return { size: message.length, sentAt: timeOf(message, strict) };
}

/** @throws ProtocolViolation when a message that begins with `head` may not have so many bytes */
function requireLength(head: Buffer, length: number): void {
  if (length <= MAX_VIEWER_MESSAGE_BYTES) return;
  if (TEXTS.has(readType(head)) && length <= MAX_TEXT_MESSAGE_BYTES) return;
  throw new ProtocolViolation('A message of the viewer is too long.', CloseCode.TooBig);
}
