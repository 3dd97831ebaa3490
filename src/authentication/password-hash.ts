import { hash, parseOptions, verify } from '@node-rs/argon2';

/** What one hash costs: argon2id, 19 MiB, two passes. Computed in the thread pool, not on the event loop. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The stored form of a password: an argon2id hash with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether the password matches a stored hash. */
export function passwordMatches(password: string, stored: string): Promise<boolean> {
  return verify(stored, password);
}

/** Whether a stored hash has a different cost than new ones. The next sign-in should then store the password again. */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
