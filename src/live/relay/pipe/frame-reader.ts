import { FINAL, LENGTH_IN_2, LENGTH_IN_8, MASKED, MAXIMUM_SHORT, Opcode } from '#libs/signalr/wire';

import { CloseCode, ProtocolViolation } from './frames.js';
import { unmask } from './unmask.js';

/** Takes the pieces and control frames that a reader finds in the bytes of a client. */
export interface FrameSink {
  /**
   * The next piece of a message: `bytes` from `start` to `end`, without its mask. The bytes of the same chunk before `start` have been
   * read and may be overwritten. A piece is empty only when its frame is.
   */
  piece(bytes: Buffer, start: number, end: number, isFirst: boolean, isLast: boolean): void;
  control(opcode: number, payload: Buffer): void;
}

const OPCODE_BITS = 0x0f;
const RESERVED_BITS = 0x70;
const CONTROL_BIT = 0x08;
const LENGTH_BITS = 0x7f;
/** The bytes that every header begins with. */
const START = 2;
const MASK_SIZE = 4;
const MAXIMUM_HEADER = 14;
const TWO_TO_32 = 0x1_0000_0000;

/**
 * Reads the frames of a client as its bytes arrive. The payload of a frame goes on piece by piece, so that a frame of any length takes
 * no memory. Clients mask their frames; the mask is removed in place.
 */
export class FrameReader {
  /** The header of the current frame, as far as it has arrived. */
  private readonly header = Buffer.alloc(MAXIMUM_HEADER);
  private headerLength = 0;
  private readonly mask = Buffer.alloc(MASK_SIZE);
  private readonly turnedMask = Buffer.alloc(MASK_SIZE);
  /** Payload of the current frame that has not arrived yet; -1 while its header is being read. */
  private left = -1;
  /** Payload of the current frame that has arrived. */
  private arrived = 0;
  private isFinal = false;
  private opcode: number = Opcode.Continuation;
  /** True while a message has begun and not ended. */
  private isWithinMessage = false;
  /** True while no piece of the current message has gone on yet. */
  private isFirst = true;
  private readonly control = Buffer.alloc(MAXIMUM_SHORT);
  private isStopped = false;

  constructor(private readonly sink: FrameSink) {}

  /** Stops reading for good. */
  stop(): void {
    this.isStopped = true;
  }

  /**
   * Reads the next bytes, and changes them.
   * @throws ProtocolViolation when they are no frames of a client
   */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.isStopped) {
      if (this.left < 0) {
        at = this.readHeader(bytes, at);
        if (this.left < 0) return;
        if (this.left > 0) continue;
        this.take(bytes, at, at);
        continue;
      }
      const end = Math.min(bytes.length, at + this.left);
      this.take(bytes, at, end);
      at = end;
    }
  }

  /** Reads from `at` on until the header is complete or the bytes have ended, and returns where the rest begins. */
  private readHeader(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length) {
      this.header[this.headerLength] = bytes[at];
      this.headerLength += 1;
      at += 1;
      if (this.headerLength === START) this.checkStart();
      if (this.headerLength === this.wholeHeader()) {
        this.begin();
        break;
      }
    }
    return at;
  }

  /** The length of the header, as far as it is known. */
  private wholeHeader(): number {
    if (this.headerLength < START) return START;
    const short = this.header[1] & LENGTH_BITS;
    const extension = short === LENGTH_IN_2 ? 2 : short === LENGTH_IN_8 ? 8 : 0;
    return START + extension + MASK_SIZE;
  }

  /** Checks the first two bytes at once, before the rest of the header has arrived. */
  private checkStart(): void {
    const [first, second] = this.header;
    if ((first & RESERVED_BITS) !== 0) throw new ProtocolViolation('No extension was agreed on.');
    if ((second & MASKED) === 0) throw new ProtocolViolation('A client must mask its frames.');
  }

  private begin(): void {
    const [first, second] = this.header;
    const opcode = first & OPCODE_BITS;
    this.isFinal = (first & FINAL) !== 0;
    const length = this.lengthOf(second & LENGTH_BITS);
    if ((opcode & CONTROL_BIT) === 0) this.beginData(opcode);
    else if (opcode > Opcode.Pong) throw new ProtocolViolation('There is no such kind of frame.');
    else if (!this.isFinal || length > MAXIMUM_SHORT) throw new ProtocolViolation('A control frame is too long.');
    this.opcode = opcode;
    this.header.copy(this.mask, 0, this.headerLength - MASK_SIZE, this.headerLength);
    this.headerLength = 0;
    this.left = length;
    this.arrived = 0;
  }

  private beginData(opcode: number): void {
    if (opcode > Opcode.Binary) throw new ProtocolViolation('There is no such kind of frame.');
    const begins = opcode !== Opcode.Continuation;
    if (begins === this.isWithinMessage) throw new ProtocolViolation('A message must end before the next one begins.');
    if (begins) this.isFirst = true;
    this.isWithinMessage = !this.isFinal;
  }

  private lengthOf(short: number): number {
    if (short < LENGTH_IN_2) return short;
    if (short === LENGTH_IN_2) return this.header.readUInt16BE(2);
    const length = this.header.readUInt32BE(2) * TWO_TO_32 + this.header.readUInt32BE(6);
    if (!Number.isSafeInteger(length)) throw new ProtocolViolation('A frame is too long.', CloseCode.TooBig);
    return length;
  }

  /** Takes payload of the current frame. */
  private take(bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    if (length > 0) unmask(bytes.subarray(start, end), this.maskFrom(this.arrived));
    this.left -= length;
    const isEnd = this.left === 0;
    if (isEnd) this.left = -1;
    if ((this.opcode & CONTROL_BIT) === 0) {
      this.arrived += length;
      const { isFirst } = this;
      this.isFirst = false;
      this.sink.piece(bytes, start, end, isFirst, isEnd && this.isFinal);
      return;
    }
    bytes.copy(this.control, this.arrived, start, end);
    this.arrived += length;
    if (isEnd) this.sink.control(this.opcode, this.control.subarray(0, this.arrived));
  }

  /** The mask as it stands at a position of the payload. */
  private maskFrom(position: number): Buffer {
    const turn = position % MASK_SIZE;
    if (turn === 0) return this.mask;
    for (let at = 0; at < MASK_SIZE; at += 1) this.turnedMask[at] = this.mask[(at + turn) % MASK_SIZE];
    return this.turnedMask;
  }
}
