import { isOutdated } from '../problem/problem.js';
import type { Versioned } from '../state/versioned.js';

/** Others change the same thing as well, but hardly that often. */
export const MOST_ATTEMPTS = 5;

/**
 * Changes a thing as it is stored now: lists may show an older state, whose other values would undo what another editor has done. If another
 * editor is faster, the thing is read and changed again.
 */
export async function changeNow<T>(
  read: () => Promise<Versioned<T>>,
  save: (stored: T, tag: string | null) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { value, tag } = await read();
    try {
      await save(value, tag);
      return;
    } catch (error) {
      if (!isOutdated(error) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
