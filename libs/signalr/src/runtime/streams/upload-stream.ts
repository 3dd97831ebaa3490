/** Learns that a stream becomes full or has room again, so that the connection can pause its socket. */
export interface StreamOwner {
  streamFilled(): void;
  streamDrained(): void;
  /** Called with the change of the bytes that the stream holds; negative when they become fewer. */
  streamHolds?(bytes: number): void;
}

interface Reader<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/**
 * A stream from the client, which has one reader. It never refuses an item: when its buffer is full it tells its owner to stop
 * reading from the socket. Once it is abandoned it drops its items.
 */
export class UploadStream<T> implements AsyncIterable<T>, AsyncIterator<T, undefined> {
  readonly #items: IteratorYieldResult<T>[] = [];
  /** The sizes of the items in bytes, as far as they are known. */
  readonly #sizes: number[] = [];
  #reader: Reader<T> | undefined;
  #ended = false;
  #error: Error | undefined;
  #full = false;
  /** The number of items that it may hold for now, if that is more than its capacity. */
  #allowed = 0;
  #taken = 0;
  #isBegun = false;

  constructor(
    private readonly owner: StreamOwner,
    private readonly capacity: number,
  ) {}

  /** True if it is full, so that its owner has stopped reading. */
  get isFull(): boolean {
    return this.#full;
  }

  /** The number of items that wait for the reader. */
  get held(): number {
    return this.#items.length;
  }

  /** The number of items that the reader has taken out of the buffer. */
  get taken(): number {
    return this.#taken;
  }

  /** True once a reader has begun to read it. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Takes an item from the client, of so many bytes. */
  push(item: T, size = 0): void {
    if (this.#ended) return;
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader.resolve({ done: false, value: item });
      return;
    }
    this.#items.push({ done: false, value: item });
    this.#sizes.push(size);
    this.owner.streamHolds?.(size);
    if (!this.#full && this.#items.length >= Math.max(this.capacity, this.#allowed)) {
      this.#full = true;
      this.owner.streamFilled();
    }
  }

  /** Lets a full stream take some more items, so that messages behind them get through. */
  allow(items: number): void {
    if (!this.#full || items <= 0) return;
    this.#allowed = this.#items.length + items;
    this.#full = false;
    this.owner.streamDrained();
  }

  /** Ends the stream: the client has sent everything. */
  complete(): void {
    this.#end(undefined);
  }

  /** Fails the stream: the reader gets the items that arrived, then the error. */
  fail(error: Error): void {
    this.#end(error);
  }

  /** Drops the items: the stream has no reader any more. */
  abandon(): void {
    const held = this.#sizes.reduce((sum, size) => sum + size, 0);
    this.#items.length = 0;
    this.#sizes.length = 0;
    this.#end(undefined);
    this.owner.streamHolds?.(-held);
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    this.#isBegun = true;
    const oldest = this.#items.shift();
    if (oldest !== undefined) {
      this.#taken++;
      if (this.#items.length <= this.capacity / 2) this.#makeRoom();
      this.owner.streamHolds?.(-(this.#sizes.shift() ?? 0));
      return Promise.resolve(oldest);
    }
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    if (this.#reader !== undefined) return Promise.reject(new Error('A stream from a client is read one item at a time.'));
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.abandon();
    return Promise.resolve({ done: true, value: undefined });
  }

  #makeRoom(): void {
    this.#allowed = 0;
    if (!this.#full) return;
    this.#full = false;
    this.owner.streamDrained();
  }

  #end(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    // No more items can arrive, so the socket need not wait for the reader.
    this.#makeRoom();
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#error = error;
    else if (error === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(error);
  }
}
