import type { Encoding, HubMessage } from './messages.js';

/** A written message, ready for a transport. A protocol that writes text may use a string or its UTF-8 bytes. */
export type Frame = string | Buffer;

/** Takes messages one by one, in the order in which they were received. */
export interface MessageSink {
  /** True while it takes no more: what follows stays unread. */
  readonly isHeld: boolean;
  accept(message: HubMessage): void;
}

/** Bytes in, message out, and back. Implementations hold no state. */
export interface HubProtocol {
  readonly name: Encoding;
  /** True when frames must travel as binary WebSocket messages. */
  readonly binary: boolean;

  /**
   * Reads every complete message of `data` and hands it to `sink`, until that is held; messages of unknown types are skipped.
   * @param maximumMessageSize bytes of one message, complete or still growing
   * @param searched bytes at the start of `data` in which an earlier call found the beginning of a message and no end
   * @returns how many bytes were used; the rest belongs in front of the next data
   * @throws ProtocolError when the bytes are no hub message or a message is too large
   */
  parse(data: Buffer, maximumMessageSize: number, sink: MessageSink, searched?: number): number;

  /**
   * Writes one message.
   * @throws TypeError when a value has no form in this encoding
   */
  write(message: HubMessage): Frame;
}
