import type { IncomingMessage } from 'node:http';

import type { Request } from 'express';
import type { StrategyCreatedStatic } from 'passport';
import { Strategy } from 'passport-custom';

import type { Principal } from '../principals/principal.js';
import type { AuthenticationScheme } from './authentication-scheme.js';

type Outcome = (principal: Principal | null) => void;

/**
 * One run of a scheme, as a passport strategy with its own actions. Passport's middleware would create these actions as
 * closures for each request and add session functions that nothing here uses: 40 µs per request, several times the cost
 * of checking a key. The strategy stays, thin as it is, because Passport belongs to the chosen stack: its strategies fit in here by
 * the same three actions, and a scheme need not know them.
 */
class Attempt extends Strategy implements Pick<StrategyCreatedStatic, 'success' | 'fail' | 'error'> {
  constructor(
    scheme: AuthenticationScheme,
    address: string,
    private readonly resolve: Outcome,
    private readonly reject: (error: unknown) => void,
  ) {
    super((request, done) => void callBack(scheme.authenticate(request, address), done));
  }

  success(principal: Principal): void {
    this.resolve(principal);
  }

  fail(): void {
    this.resolve(null);
  }

  error(error: unknown): void {
    this.reject(error);
  }
}

/**
 * Returns the principal that a scheme finds in a request; null when the request carries no credential of the scheme. Throws what the scheme
 * throws.
 */
export function attempt(scheme: AuthenticationScheme, request: IncomingMessage, address: string): Promise<Principal | null> {
  return new Promise((resolve, reject) => {
    // Schemes read only what every Node.js request has, so an IncomingMessage is enough.
    new Attempt(scheme, address, resolve, reject).authenticate(request as Request);
  });
}

/** Tells the strategy how the scheme ended. */
async function callBack(running: Promise<Principal | null>, done: (error: unknown, principal?: Principal | false) => void): Promise<void> {
  let principal: Principal | null;
  try {
    principal = await running;
  } catch (error) {
    done(error);
    return;
  }
  done(null, principal ?? false);
}
