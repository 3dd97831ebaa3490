/*
 * A thing that is read while it is being saved may lack the change. A form or a question that began with it would take the user's own change
 * for one of another editor, so that each first waits for the saves of those that were closed before their answer.
 */

const underWay = new Set<Promise<unknown>>();

/** Runs a save. */
export async function saving<T>(save: () => Promise<T>): Promise<T> {
  const run = save();
  underWay.add(run);
  try {
    return await run;
  } finally {
    underWay.delete(run);
  }
}

/** Waits for the end of the saves that are under way now, also of those that fail. */
export const savesEnded = (): Promise<unknown> => Promise.allSettled(underWay);
