import type { Upgrade } from '#libs/signalr';

import type { Principal } from '../../access/authentication/principals/principal.js';
import type { RelayRequest } from './relay-request.js';

interface AnyHalf {
  readonly request: RelayRequest;
  /** Not answered yet. */
  readonly upgrade: Upgrade;
  /** The client's address behind trusted proxies. */
  readonly address: string;
  readonly requestId: string;
}

/** The viewer's side of a session, whose principal is known. */
export interface RequesterHalf extends AnyHalf {
  readonly principal: Principal;
}

/** The device's side of a session. It knows the token; nothing else is known of it. */
export interface ResponderHalf extends AnyHalf {
  readonly principal: null;
}

/** One side of a session before the two are connected. */
export type RelayHalf = RequesterHalf | ResponderHalf;

/** Checks that the half is the viewer's. */
export function isRequester(half: RelayHalf): half is RequesterHalf {
  return half.principal !== null;
}
