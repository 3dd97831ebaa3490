/** Lets work on one thing be done in the order in which it came, and work on different things at the same time. */
export class Turns {
  /** The latest work on each thing that is not done yet. */
  private readonly latest = new Map<string, Promise<void>>();

  /** Starts the work when all earlier work on that thing has ended, well or badly; at once when there is none. */
  take(thing: string, work: () => Promise<void>): Promise<void> {
    const before = this.latest.get(thing);
    const done = before === undefined ? work() : before.then(work, work);
    this.latest.set(thing, done);
    const leave = (): void => {
      if (this.latest.get(thing) === done) this.latest.delete(thing);
    };
    done.then(leave, leave);
    return done;
  }

  /** How many things are worked on. */
  get size(): number {
    return this.latest.size;
  }
}
