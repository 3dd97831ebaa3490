import { UnreadBytes } from '../../protocol/unread-bytes.js';

/** Reads messages out of bytes, and can pause the reading. */
export interface InboxReader {
  /** True while messages have to wait: the bytes that follow stay unread. */
  readonly isHeld: boolean;
  /**
   * Reads the messages at the start of `data`, until it is held or the rest is incomplete. Never throws.
   * @param searched bytes at the start of `data` that are known to hold no end of a message
   * @returns the number of bytes used
   */
  read(data: Buffer, searched: number): number;
}

/** The bytes that one client sends. Its reader gets them at once if it can; the inbox keeps those that cannot be read yet. */
export class Inbox {
  /** The start of a message, or messages that have to wait while the reader is held. */
  #unread: UnreadBytes | undefined = undefined;
  /** Bytes at the start of `#unread` that hold no end of a message, so that they are not searched again. */
  #searched = 0;
  #isReading = false;
  #isClosed = false;

  constructor(private readonly reader: InboxReader) {}

  /** True if bytes wait to be read. */
  get hasUnread(): boolean {
    return this.#unread !== undefined;
  }

  /** The memory that unread bytes take. */
  get size(): number {
    return this.#unread?.capacity ?? 0;
  }

  /** Takes bytes from the transport. */
  receive(data: Buffer): void {
    if (this.#isClosed) return;
    this.#unread?.append(data);
    if (!this.reader.isHeld) this.#read(this.#unread?.all ?? data);
    else this.#unread ??= new UnreadBytes(data);
  }

  /** Reads on in the unread bytes, as far as the reader allows. Does nothing while bytes are being read already. */
  readOn(): void {
    if (this.#unread !== undefined && !this.#isReading && !this.reader.isHeld) this.#read(this.#unread.all);
  }

  /** Drops the unread bytes. */
  drop(): void {
    this.#unread = undefined;
    this.#searched = 0;
  }

  /** Drops the unread bytes and everything to come. */
  close(): void {
    this.#isClosed = true;
    this.drop();
  }

  #read(data: Buffer): void {
    this.#isReading = true;
    const used = this.reader.read(data, this.#searched);
    this.#isReading = false;
    if (used === data.length || this.#isClosed) this.#unread = undefined;
    else if (this.#unread === undefined) this.#unread = new UnreadBytes(data.subarray(used));
    else this.#unread.drop(used);
    this.#searched = this.#unread === undefined || this.reader.isHeld ? 0 : data.length - used;
  }
}
