/** Runs work on the same key one after another, in order of arrival, and work on different keys concurrently. */
export class Turns {
  /** The latest unfinished work of each key. */
  private readonly latest = new Map<string, Promise<unknown>>();

  /** Starts the work when all earlier work on the key has settled; immediately when there is none. */
  take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const before = this.latest.get(thing);
    const done = before === undefined ? work() : before.then(work, work);
    this.latest.set(thing, done);
    const leave = (): void => {
      if (this.latest.get(thing) === done) this.latest.delete(thing);
    };
    done.then(leave, leave);
    return done;
  }

  /** Number of keys that have unfinished work. */
  get size(): number {
    return this.latest.size;
  }
}
