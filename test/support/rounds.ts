/** Number of times that each fault is made: once, or as often as the run says, as in `ROUNDS=10 npm test -- test/nodes/faults`. */
export const ROUNDS = Number(process.env.ROUNDS ?? 1);

/** The same for tests that need several rounds. */
export const SEVERAL = Math.max(ROUNDS, 3);

/** True if faults last as long as in the field: a minute, a gigabyte. Else they are shorter, so that a run of all tests does not wait for them. */
export const isLong = ROUNDS > 1;

/** Prints figures of a long run. */
export function printFigures(what: string, figures: object): void {
  if (isLong) process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
}
