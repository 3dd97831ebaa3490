import type { Duplex } from 'node:stream';

import type { Upgrade } from '#libs/signalr';
import { Opcode } from '#libs/signalr/wire';

import { takeSocket, type ByteSink } from '../../../platform/http/connections/taken-socket.js';
import { FrameReader, type FrameSink } from './frame-reader.js';
import { closeFrame, controlFrame } from './frames.js';
import { handshakeAnswer } from './handshake.js';
import { PieceWriter } from './piece-writer.js';

/** Unsent bytes from which on a ping stays without an answer: its sender does not read. */
const MAXIMUM_UNSENT_FOR_PONG = 65_536;

/**
 * Unsent bytes from which on the partner is not read, until all of them have left. With fewer, the two would wake each other up for
 * every chunk.
 */
const MAXIMUM_UNSENT = 262_144;

/** Takes the pieces of the messages that a socket receives, which are parts of its current chunk. */
export interface PieceSink {
  /** @throws ProtocolViolation when the message may not be sent */
  piece(bytes: Buffer, start: number, end: number, isFirst: boolean, isLast: boolean): void;
}

/** The end of a socket: with a close frame, without one, or by unreadable bytes, with the reason. */
export type SocketEnd = 'closed' | 'vanished' | Error;

/**
 * One side of a session: an upgraded socket that passes what it receives on to its partner, frame by frame. It is read no faster than
 * the partner takes what came before, so that it holds few chunks at most.
 */
export class RelaySocket implements ByteSink, FrameSink {
  /** Payload that it has sent. */
  payloadBytes = 0;
  /** True while it is not read, because its partner is too slow. */
  isHeldBack = false;
  private readonly socket: Duplex;
  /** Begins to read, with the bytes that have come already. */
  private readonly begin: () => void;
  private readonly reader = new FrameReader(this);
  /** Writes what it is sent. */
  readonly writer: PieceWriter;
  private partner: RelaySocket | undefined;
  private gate: PieceSink | null = null;
  private onEnd: (end: SocketEnd) => void = () => undefined;
  private hasClosed = false;
  private isClosing = false;
  private ping: Buffer | undefined;
  /** True if it has sent anything since the last look. */
  private wasHeard = false;
  /** The number of bytes that it had not taken at the last look. */
  private lastUnsent = 0;
  private silentLooks = 0;

  /** Answers the upgrade, which must have been taken. */
  constructor({ request, socket: accepted, head }: Upgrade) {
    const { socket, early, begin } = takeSocket(accepted, this);
    this.socket = socket;
    this.begin = () => {
      for (const bytes of [head, early]) if (bytes.length > 0) this.receive(bytes);
      begin();
    };
    this.writer = new PieceWriter(socket);
    socket.on('error', () => undefined);
    socket.write(handshakeAnswer(request));
  }

  /** True if the partner's socket has taken everything. */
  get hasPassedOn(): boolean {
    return this.partner?.socket.writableLength === 0;
  }

  /** True if the socket has not yet taken everything that was sent to it. */
  get hasUnsent(): boolean {
    return this.socket.writableLength > 0;
  }

  /** Begins to pass on to the partner, through the gate if there is one. `onEnd` is called once when the socket ends. */
  connect(partner: RelaySocket, onEnd: (end: SocketEnd) => void, gate: PieceSink | null = null): void {
    this.partner = partner;
    this.gate = gate;
    this.onEnd = onEnd;
    const { socket } = this;
    socket.on('end', () => (this.isClosing ? socket.end() : this.over('vanished')));
    socket.on('close', () => this.over('vanished'));
    this.begin();
  }

  receive(bytes: Buffer): void {
    this.wasHeard = true;
    const { partner } = this;
    if (partner === undefined) return;
    partner.writer.begin(bytes);
    try {
      this.reader.read(bytes);
    } catch (error) {
      this.hasClosed = true;
      this.reader.stop();
      this.over(error instanceof Error ? error : new Error(String(error)));
    } finally {
      partner.writer.end();
    }
    this.answerPing();
    if (this.hasClosed) this.over('closed');
    else if (!this.isClosing && partner.isFull) this.holdBack(partner.socket, this.socket);
    // One that does not read what the relay answers to its messages gets to send no more of them.
    else if (!this.isClosing && this.isFull) this.holdBack(this.socket, this.socket);
  }

  piece(bytes: Buffer, start: number, end: number, isFirst: boolean, isLast: boolean): void {
    if (this.isClosing) return;
    this.payloadBytes += end - start;
    if (this.gate === null) this.partner?.writer.piece(start, end, isFirst, isLast);
    else this.gate.piece(bytes, start, end, isFirst, isLast);
  }

  control(opcode: number, payload: Buffer): void {
    if (opcode === Opcode.Ping) this.ping = Buffer.from(payload);
    if (opcode !== Opcode.Close) return;
    this.hasClosed = true;
    this.reader.stop();
    if (this.isClosing) this.socket.end();
  }

  /** Sends a close frame after everything that was sent before, and ends the socket when it is answered, or after a while. */
  close(code: number, text: string, withinMs: number): void {
    if (this.isClosing) return;
    this.isClosing = true;
    const { socket } = this;
    if (socket.destroyed) return;
    if (socket.writable) socket.write(closeFrame(code, text));
    if (this.hasClosed || socket.readableEnded) socket.end();
    // Bytes that still come are read and dropped: the answer may be behind them.
    socket.resume();
    const deadline = setTimeout(() => socket.destroy(), withinMs);
    socket.once('close', () => clearTimeout(deadline));
  }

  /**
   * Looks for signs of life since the last look: bytes from it, or that it took some of those that waited for it. Pings it from
   * `looksUntilPing` silent looks on. False after `looksUntilGone` of them.
   */
  look(looksUntilPing: number, looksUntilGone: number): boolean {
    const { socket, lastUnsent } = this;
    const unsent = socket.writableLength;
    // A socket that is not read, because its partner is slow, cannot show that it lives.
    const isAlive = this.isHeldBack || this.wasHeard || (lastUnsent > 0 && unsent !== lastUnsent);
    this.silentLooks = isAlive ? 0 : this.silentLooks + 1;
    this.wasHeard = false;
    this.lastUnsent = unsent;
    if (this.silentLooks >= looksUntilPing && unsent === 0 && !this.isClosing) socket.write(controlFrame(Opcode.Ping));
    return this.silentLooks < looksUntilGone;
  }

  /** True if more was sent to it than it takes. Bytes that the system took at once do not count. */
  private get isFull(): boolean {
    return this.socket.writableLength >= MAXIMUM_UNSENT;
  }

  private holdBack(slow: Duplex, fast: Duplex): void {
    this.isHeldBack = true;
    fast.pause();
    slow.once('drain', () => {
      this.isHeldBack = false;
      fast.resume();
    });
  }

  /** Answers the newest ping. A client that does not read gets no answers that would pile up. */
  private answerPing(): void {
    const { ping, socket } = this;
    this.ping = undefined;
    if (ping === undefined || this.isClosing || socket.writableLength > MAXIMUM_UNSENT_FOR_PONG) return;
    socket.write(controlFrame(Opcode.Pong, ping));
  }

  private over(end: SocketEnd): void {
    const { onEnd } = this;
    this.onEnd = () => undefined;
    onEnd(end);
  }
}
