/** Number of times that each fault is made, where a run asks for more than the usual: `ROUNDS=10 npm test -- test/nodes/faults`. */
export const ROUNDS = Number(process.env.ROUNDS ?? 1);

/** Number of times that a service is killed or told to stop by a test that needs several. */
export const SEVERAL = Math.max(ROUNDS, 3);

/** True if faults last as long as in the field: a minute, a gigabyte. Else they are shorter, so that a run of all tests does not wait for them. */
export const isLong = ROUNDS > 1;

/** Prints figures of a long run. */
export function printFigures(what: string, figures: object): void {
  if (isLong) process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
}
