import { setTimeout as delay } from 'node:timers/promises';

import { deviceSilent } from './device-failures.js';

/** The answer of a device; 504 when it takes longer. */
export async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const answered = new AbortController();
  const tooLate = delay(milliseconds, undefined, { signal: answered.signal }).then((): never => {
    throw deviceSilent();
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    answered.abort();
    tooLate.catch(() => undefined);
  }
}
