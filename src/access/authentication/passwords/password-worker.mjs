// What the thread of `password-hasher.ts` runs. It is JavaScript, so that the thread loads the same file in tests and in the built service.
import { hashSync, verifySync } from '@node-rs/argon2';

/** @param {{ password: string, cost: import('@node-rs/argon2').Options }} task */
export function hash({ password, cost }) {
  return hashSync(password, cost);
}

/** @param {{ password: string, stored: string }} task */
export function verify({ password, stored }) {
  return verifySync(stored, password);
}
