import type { Encoding, HubMessage } from './messages.js';

/** An encoded message, ready for a transport. Text may be a string or its UTF-8 bytes. */
export type Frame = string | Buffer;

/** Takes messages one by one, in the order in which they arrived. */
export interface MessageSink {
  /** True while it takes no more messages, so that the following ones stay unread. */
  readonly isHeld: boolean;
  /** @param size bytes of the message, as far as the protocol tells */
  accept(message: HubMessage, size?: number): void;
}

/** An encoding of hub messages. Implementations hold no state. A program may have protocols of its own. */
export interface HubProtocol {
  /** The name that clients ask for, in any case. */
  readonly name: string;
  /** The form of values: with `messagepack` it carries bytes, integers of 64 bits and times as they are, with `json` as JSON does. */
  readonly encoding: Encoding;
  /** True when a transport must send frames as binary data. */
  readonly binary: boolean;

  /**
   * Reads the complete messages of `data` and hands each to `sink`, until the sink is held. Messages of unknown types are skipped.
   * @param maximumMessageSize the most bytes that one message may have, complete or not
   * @param searched bytes at the start of `data` in which an earlier call found no end of a message
   * @returns the number of bytes used. The rest has to come first in the next call
   * @throws ProtocolError when the bytes are not a hub message, or a message is too large
   */
  parse(data: Buffer, maximumMessageSize: number, sink: MessageSink, searched?: number): number;

  /**
   * Encodes one message.
   * @throws TypeError when the encoding cannot express a value
   */
  write(message: HubMessage): Frame;
}
