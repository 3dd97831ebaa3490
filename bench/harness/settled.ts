import { setTimeout as delay } from 'node:timers/promises';

import { residentBytes } from './usage.js';

/** Garbage collections per measurement. The engine returns memory some time after it was freed, so one is not enough. */
const COLLECTIONS = 3;
const BETWEEN_COLLECTIONS_MS = 500;

/** Resident memory of a process in bytes, after garbage collections that `collect` asks for. */
export async function settledBytes(pid: number, collect: () => Promise<void> | void): Promise<number> {
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    await collect();
    await delay(BETWEEN_COLLECTIONS_MS);
  }
  return residentBytes(pid);
}
