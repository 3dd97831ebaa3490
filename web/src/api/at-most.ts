/** Runs something in turn. The signal ends the wait of a run that was given up. */
export type InTurn = <T>(signal: AbortSignal, run: () => Promise<T>) => Promise<T>;

/** Lets only so many run at a time; the others wait for their turn, the first come first. */
export function atMost(most: number): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (signal, run) => {
    if (running < most) running += 1;
    // A run that ends passes its turn on.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
