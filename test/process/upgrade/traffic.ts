import { messageOf } from '../../../src/platform/common/errors/errors.js';

/** Repeated work that runs beside others until it is stopped, with the time that each turn took. */
export class Traffic {
  /** Refusals and failures, by the name of the work. */
  readonly failures: string[] = [];
  /** Longest turn of each work, in milliseconds. */
  readonly longest = new Map<string, number>();
  /** Turns that have ended, by the name of the work. */
  readonly turns = new Map<string, number>();
  private isStopped = false;
  private readonly loops: Promise<void>[];

  /** Begins all works, each one turn after another. */
  constructor(works: Readonly<Record<string, (turn: number) => Promise<unknown>>>) {
    this.loops = Object.entries(works).map(([name, work]) => this.repeat(name, work));
  }

  /** Checks whether each work has ended so many turns. */
  hasDone(count: number): boolean {
    return this.turns.size === this.loops.length && [...this.turns.values()].every((turns) => turns >= count);
  }

  /** Ends after the turns under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.loops);
  }

  private async repeat(name: string, work: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 1; !this.isStopped; turn += 1) {
      const begun = performance.now();
      try {
        await work(turn);
      } catch (error) {
        this.failures.push(`${name}: ${messageOf(error)}`);
      }
      this.longest.set(name, Math.max(this.longest.get(name) ?? 0, performance.now() - begun));
      this.turns.set(name, turn);
      // Others get the processor as well.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}
