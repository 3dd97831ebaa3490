interface Waiting<Row> {
  readonly id: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Ids in one query. */
const BATCH_SIZE = 500;

/** Looks rows up by id. All that are asked for in one turn of the event loop, or while a query runs, share the next query. */
export class BatchedLookup<Row extends { readonly id: string }> {
  private waiting: Waiting<Row>[] = [];
  private isRunning = false;

  /** @param read reads the rows of at most 500 ids, in any order */
  constructor(private readonly read: (ids: readonly string[]) => Promise<readonly Row[]>) {}

  /** The row of that id, or null. */
  find(id: string): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_SIZE);
      try {
        const rows = await this.read(batch.map(({ id }) => id));
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const { id, resolve } of batch) resolve(byId.get(id) ?? null);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isRunning = false;
  }
}
