import type { IncomingMessage } from 'node:http';

import type { Principal } from '../principal.js';
import type { Scheme } from '../scheme-selection.js';

/** An authentication scheme: reads its credential from a request and returns the principal. */
export interface AuthenticationScheme {
  readonly scheme: Scheme;
  /** The principal; null when the request carries no credential of this scheme. Throws a domain error for a wrong credential. */
  authenticate(request: IncomingMessage, address: string): Promise<Principal | null>;
  /** Whether a principal of this scheme may still act on a long-lived connection; null for principals of other schemes. */
  isStillValid?(principal: Principal): Promise<boolean> | null;
}
