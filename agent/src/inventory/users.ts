import { users } from 'systeminformation';
import { LastKnown } from './last-known.js';

/** The accounts that are signed in, each once. The program that tells them waits for processes that cannot be looked at. */
export function usersReader(withinMs?: number): LastKnown<string[]> {
  return new LastKnown(async () => [...new Set((await users()).map(({ user }) => user))], [], withinMs);
}
