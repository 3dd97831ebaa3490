import { hash, parseOptions, verify } from '@node-rs/argon2';

/** What one hash costs: argon2id, 19 MiB, two passes. Computed in the thread pool, not on the event loop. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The stored form of a password: argon2id with its salt and parameters in one text. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether a password is the one behind a stored form. */
export function passwordMatches(password: string, stored: string): Promise<boolean> {
  return verify(stored, password);
}

/** Whether a stored form was made at another cost than today's, so that the next sign-in should store it anew. */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
