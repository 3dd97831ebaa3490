import { timingSafeEqual } from 'node:crypto';

import { hashSecret } from '../../platform/common/identifiers/secret.js';
import type { RelayHalf } from './relay-half.js';

/** The decision about a half that finds another one waiting for its session. */
export type Meeting = 'partner is here' | 'wrong token' | 'role taken';

/** Decides about a half by the one that waits for its session. */
export function meetingOf({ request }: RelayHalf, { request: { accessToken, role } }: RelayHalf): Meeting {
  // The token first: a client that does not know it learns nothing of the session.
  if (!timingSafeEqual(hashSecret(request.accessToken), hashSecret(accessToken))) return 'wrong token';
  return request.role === role ? 'role taken' : 'partner is here';
}
