import type { IncomingMessage } from 'node:http';

import type { Principal } from '../principal.js';
import type { Scheme } from '../scheme-selection.js';

/** One way to authenticate: reads its credential from a request and says who that is. */
export interface AuthenticationScheme {
  readonly scheme: Scheme;
  /** The principal; null when the request carries no credential of this scheme. Throws a domain error for a wrong one. */
  authenticate(request: IncomingMessage, address: string): Promise<Principal | null>;
  /** Whether a principal of this scheme, authenticated when a long-lived connection began, may still act; null for principals of others. */
  isStillValid?(principal: Principal): Promise<boolean> | null;
}
