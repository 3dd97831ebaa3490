import type { IncomingMessage } from 'node:http';

/** The ways to authenticate, in the order in which a request is looked at. */
export enum Scheme {
  LogonToken = 'logon-token',
  Bearer = 'bearer',
  PersonalAccessToken = 'personal-access-token',
  ApiKey = 'api-key',
  Session = 'session',
}

/** Path under which a logon token in the query is a credential. */
export const DEVICE_ACCESS_PATH = '/device-access';

/**
 * The scheme that handles a request: the first one whose credential the request carries. A wrong credential is refused and never
 * falls through to the next scheme.
 */
export function selectScheme(request: IncomingMessage, options: { readonly isBearerEnabled: boolean }): Scheme {
  const { headers, url = '' } = request;
  if (url.startsWith(DEVICE_ACCESS_PATH) && hasLogonToken(url)) return Scheme.LogonToken;
  if (options.isBearerEnabled && /^bearer /i.test(headers.authorization ?? '')) return Scheme.Bearer;
  if (headers['x-personal-token'] !== undefined) return Scheme.PersonalAccessToken;
  if (headers['x-api-key'] !== undefined) return Scheme.ApiKey;
  return Scheme.Session;
}

function hasLogonToken(url: string): boolean {
  const query = url.indexOf('?');
  if (query === -1) return false;
  for (const name of new URLSearchParams(url.slice(query + 1)).keys()) if (name.toLowerCase() === 'logontoken') return true;
  return false;
}
