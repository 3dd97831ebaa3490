import { type HashCost, PasswordCost } from '../../../src/access/authentication/passwords/password-cost.js';
import { ConstantTimeReply } from '../../../src/people/sign-in/constant-time-reply.js';

/*
 * Passwords and refused sign-ins cost processor time and waiting on purpose. Tests that are not about that do without.
 */

/** The least that argon2id can cost. */
export class LowPasswordCost extends PasswordCost {
  override get ofHash(): HashCost {
    return { memoryCost: 8, timeCost: 1, parallelism: 1 };
  }

  override get niceness(): number {
    return 0;
  }
}

/** Refusals are answered at moments that follow soon on each other. */
export class ShortReply extends ConstantTimeReply {
  override get stepMs(): number {
    return 10;
  }
}
