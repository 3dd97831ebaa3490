import { randomBytes } from 'node:crypto';

import { decodeMessage, encodeMessage, messages, type MessageName, type MessageValue } from '#libs/desktop-stream';

/** Most messages whose acknowledgements are awaited. The oldest are forgotten: their receiver does not acknowledge. */
const MAXIMUM_AWAITED = 100;
/** Bits of the first time: the later ones stay positive numbers of 64 bits. */
const TIME_BITS = 62;

/**
 * Messages that the relay writes to one side in the name of the other one. Their acknowledgements do not go on: the other side has not
 * sent them. Each has a time that no clock shows, by which its acknowledgement is known.
 */
export class InsertedMessages {
  private time = BigInt.asUintN(TIME_BITS, randomBytes(8).readBigUInt64BE());
  private readonly awaited = new Set<bigint>();

  /** True while acknowledgements are awaited. */
  get isAwaiting(): boolean {
    return this.awaited.size > 0;
  }

  /** Returns the bytes of a message to insert. */
  encode<N extends MessageName>(name: N, value: MessageValue<N>): Uint8Array {
    this.time += 1n;
    this.awaited.add(this.time);
    if (this.awaited.size > MAXIMUM_AWAITED) this.awaited.delete(this.time - BigInt(MAXIMUM_AWAITED));
    return encodeMessage(name, value, this.time);
  }

  /** True if the bytes acknowledge an inserted message, which is awaited no more. */
  takes(type: number, message: Uint8Array): boolean {
    if (type !== messages.Ack.type || !this.isAwaiting) return false;
    const ack = decodeMessage(message);
    return ack.name === 'Ack' && this.awaited.delete(ack.value.sendTimestamp);
  }
}
