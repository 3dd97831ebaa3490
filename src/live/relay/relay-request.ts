import { isGuid } from '../../platform/common/identifiers/guid.js';

/** The part that a socket plays in a session. */
export enum RelayRole {
  /** The viewer. */
  Requester = 'requester',
  /** The device. */
  Responder = 'responder',
}

/** The query of a socket. */
export interface RelayRequest {
  /** In lower case. */
  readonly sessionId: string;
  /** Secret of the two sides of the session. */
  readonly accessToken: string;
  readonly role: RelayRole;
  /** The longest wait for the partner; 0 is the longest that the relay allows. May be negative, which is invalid. */
  readonly timeoutSeconds: number;
}

/** The wait of a socket that asks for none in particular. */
export const DEFAULT_WAIT_SECONDS = 20;
const MAXIMUM_INT32 = 2_147_483_647;
const INTEGER = /^\s*[+-]?\d{1,20}\s*$/;
/** Roles may be written by name or by number. */
const ROLES: ReadonlyMap<string, RelayRole> = new Map([
  ['requester', RelayRole.Requester],
  ['responder', RelayRole.Responder],
  ['0', RelayRole.Requester],
  ['1', RelayRole.Responder],
]);

/** Reads the query of a socket. Names are read in any case; of one that is given twice the first counts. */
export function readRelayRequest(query: string): RelayRequest | { readonly invalid: string } {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, value);
  }
  const sessionId = values.get('sessionid')?.trim();
  if (!isGuid(sessionId)) return { invalid: 'sessionId must be a GUID.' };
  const accessToken = values.get('accesstoken') ?? '';
  if (accessToken === '') return { invalid: 'accessToken is missing.' };
  const role = ROLES.get((values.get('role') ?? '').trim().toLowerCase());
  if (role === undefined) return { invalid: 'role must be requester or responder.' };
  return { sessionId: sessionId.toLowerCase(), accessToken, role, timeoutSeconds: readSeconds(values.get('timeout')) };
}

/** Reads the wait. A number that does not fit into 32 bits counts as not given, like everything else that is no integer. */
function readSeconds(text: string | undefined): number {
  if (text === undefined || !INTEGER.test(text)) return DEFAULT_WAIT_SECONDS;
  const seconds = Number(text);
  return seconds > MAXIMUM_INT32 || seconds < -MAXIMUM_INT32 - 1 ? DEFAULT_WAIT_SECONDS : seconds;
}
