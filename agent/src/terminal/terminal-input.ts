import { writeSync } from 'node:fs';
import { codeOf } from '../failures.js';

/** Most bytes that wait for a program to read them, before more is refused. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Interval of the attempts to pass on what waits, in milliseconds. */
const RETRY_MS = 20;

/**
 * Passes input on to a terminal as its program reads it. The package writes in a way that holds the whole process up while a program does
 * not read, which begins after some thousand bytes.
 */
export class TerminalInput {
  private waiting = Buffer.alloc(0);
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    /** The terminal, which does not block. */
    private readonly fd: number,
  ) {}

  get isFull(): boolean {
    return this.waiting.length > MAX_WAITING_BYTES;
  }

  write(text: string): void {
    if (this.isClosed) return;
    this.waiting = Buffer.concat([this.waiting, Buffer.from(text)]);
    if (this.retry === undefined) this.passOn();
  }

  /** Drops what waits. Called before the terminal is closed: its number may be that of another file then. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.waiting = Buffer.alloc(0);
  }

  private passOn(): void {
    this.retry = undefined;
    try {
      while (this.waiting.length > 0) this.waiting = this.waiting.subarray(writeSync(this.fd, this.waiting));
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') this.retry = setTimeout(() => this.passOn(), RETRY_MS);
      // Nobody reads it any more: the shell has ended.
      else this.waiting = Buffer.alloc(0);
    }
  }
}
