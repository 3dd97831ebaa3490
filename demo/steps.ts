/** Prints the steps of the demonstration with their duration. */
export class Steps {
  private readonly begin = performance.now();

  constructor(private readonly interrupted: AbortSignal) {}

  /** Runs a step; `tell` turns the result into its line. A signal that ends the demonstration also ends the step. */
  async do<T>(work: () => Promise<T>, tell: (result: T) => string): Promise<T> {
    const begin = performance.now();
    const result = await this.unlessInterrupted(work());
    print(performance.now() - begin, tell(result));
    return result;
  }

  /** Prints the last line. */
  finish(sentence: string): void {
    print(performance.now() - this.begin, sentence);
  }

  private async unlessInterrupted<T>(work: Promise<T>): Promise<T> {
    const { interrupted } = this;
    let stop: () => void = () => undefined;
    const interruption = new Promise<never>((_, reject) => {
      stop = () => reject(new Error('interrupted'));
      if (interrupted.aborted) stop();
      else interrupted.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, interruption]);
    } finally {
      interrupted.removeEventListener('abort', stop);
    }
  }
}

function print(milliseconds: number, sentence: string): void {
  console.log(`${(milliseconds / 1000).toFixed(2).padStart(7)} s  ${sentence}`);
}
