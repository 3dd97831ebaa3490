import type { IncomingMessage } from 'node:http';

import type { EntityManager } from 'typeorm';

import type { Principal } from '../principals/principal.js';
import type { Scheme } from './scheme-selection.js';

/** Validity of a credential, and its expiry. */
export interface CredentialStanding {
  readonly isValid: boolean;
  /** Null never expires. */
  readonly expiresAt: Date | null;
}

/** An authentication scheme: reads its credential from a request and returns the principal. */
export interface AuthenticationScheme {
  readonly scheme: Scheme;
  /** The principal; null when the request carries no credential of this scheme. Throws a domain error for a wrong credential. */
  authenticate(request: IncomingMessage, address: string): Promise<Principal | null>;
  /** Checks whether a principal of this scheme may still act on a long-lived connection; null for principals of other schemes. */
  isStillValid?(principal: Principal): Promise<boolean> | null;
  /**
   * Returns the standing of the credential of a principal of this scheme as a connection to the database sees it; null for principals of
   * others.
   */
  standingIn?(manager: EntityManager, principal: Principal): Promise<CredentialStanding> | null;
}
