import type { PieceWriter } from '../pipe/piece-writer.js';

/** Most messages of the relay that wait for the end of the one that is being passed on: its sender may leave it unfinished. */
export const MAXIMUM_WAITING = 1_024;

/** Writes the messages of one side to the other one, and messages of the relay between them. */
export class MessageOutlet {
  private isWithinMessage = false;
  private waiting: Uint8Array[] = [];

  constructor(private readonly writer: PieceWriter) {}

  /** Passes a piece of the current chunk on. */
  piece(start: number, end: number, isLast: boolean): void {
    this.writer.piece(start, end, !this.isWithinMessage, isLast);
    this.noteEnd(isLast);
  }

  /** Passes bytes on that were kept. */
  held(bytes: Uint8Array, isLast: boolean): void {
    this.writer.keptPiece(bytes, !this.isWithinMessage, isLast);
    this.noteEnd(isLast);
  }

  /**
   * Writes a whole message of the relay, after the one that is being passed on. When too many wait already, it is left out: each answers a
   * message that may not be sent, and their sender goes on sending.
   */
  insert(message: Uint8Array): void {
    if (!this.isWithinMessage) this.writer.keptPiece(message, true, true);
    else if (this.waiting.length < MAXIMUM_WAITING) this.waiting.push(message);
  }

  private noteEnd(isLast: boolean): void {
    this.isWithinMessage = !isLast;
    if (this.isWithinMessage || this.waiting.length === 0) return;
    const { waiting } = this;
    this.waiting = [];
    for (const message of waiting) this.writer.keptPiece(message, true, true);
  }
}
