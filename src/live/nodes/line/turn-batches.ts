/** Parts for one receiver that wait for the end of the turn. */
interface Waiting<Part> {
  parts: Part[];
  bytes: number;
}

/**
 * Gathers what goes to each receiver in one turn of the event loop, so that it leaves as one message. A part alone waits for nothing but
 * the turn; a batch that has reached its size leaves at once.
 */
export class TurnBatches<Part extends { readonly bytes: Buffer }> {
  private waiting = new Map<string, Waiting<Part>>();
  private isScheduled = false;

  constructor(
    private readonly maximumBytes: number,
    private readonly send: (receiver: string, parts: readonly Part[]) => void,
  ) {}

  add(receiver: string, part: Part): void {
    const size = part.bytes.length;
    let batch = this.waiting.get(receiver);
    if (batch !== undefined && batch.bytes + size > this.maximumBytes) {
      this.waiting.delete(receiver);
      this.send(receiver, batch.parts);
      batch = undefined;
    }
    if (batch === undefined) {
      batch = { parts: [], bytes: 0 };
      this.waiting.set(receiver, batch);
    }
    batch.parts.push(part);
    batch.bytes += size;
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    this.isScheduled = false;
    const batches = this.waiting;
    this.waiting = new Map();
    for (const [receiver, { parts }] of batches) this.send(receiver, parts);
  }
}
